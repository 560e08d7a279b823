//! `iriscan pick`: the list in a terminal, which tmux plays.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crate::common::{PATIENCE, files, iriscan, iriscan_in};

/// A terminal of tmux, with a server of its own.
struct Screen {
    socket: String,
    folder: tempfile::TempDir,
}

impl Screen {
    /// Runs `iriscan pick` with `args` on a message; `None` if there is no tmux.
    fn of(name: &str, args: &str, input: &str) -> Option<Screen> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("{name}: skipped, because tmux is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("input"), input).unwrap();
        let opener = "#!/bin/sh\ncase \"$1\" in *fails*) exit 3;; esac\nprintf '%s\\n' \"$1\" >> \"$(dirname \"$0\")/opened\"\n";
        fs::write(path("opener"), opener).unwrap();
        // A browser of the terminal.
        let browser = "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] || exit 4\necho \"reading $1\"\nread key\n";
        fs::write(path("w3m"), browser).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for name in ["opener", "w3m"] {
                fs::set_permissions(path(name), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let program = crate::program();
        let with = if args.contains("--open-with") { "" } else { "--open-with ./opener" };
        let run = format!(
            "cd '{}'; sh -c 'echo $$ > pid; exec \"$0\" \"$@\"' '{program}' pick {with} {args} < input > out; \
             echo \"status $?\"; cat out; sleep 100",
            folder.path().display()
        );
        let socket = format!("iriscan-{name}-{}", std::process::id());
        let screen = Screen { socket, folder };
        screen.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "16", &run]);
        screen.tmux(&["set", "-g", "set-clipboard", "on"]);
        Some(screen)
    }

    fn tmux(&self, args: &[&str]) -> String {
        let done = Command::new("tmux").args(["-L", &self.socket]).args(args).output().unwrap();
        String::from_utf8_lossy(&done.stdout).into_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The screen, as soon as it is as `wanted`.
    fn when(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if wanted(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < PATIENCE, "{what}\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn shows(&self, text: &str) -> String {
        self.when(&format!("{text} should be shown"), |screen| screen.contains(text))
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// What the file holds, as soon as it holds `text`.
    fn file_has(&self, name: &str, text: &str) {
        let begun = Instant::now();
        while !fs::read_to_string(self.path(name)).unwrap_or_default().contains(text) {
            assert!(begun.elapsed() < PATIENCE, "{name} should have {text}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

const MESSAGE: &str = "From: a@b.example\nSubject: x\nContent-Type: text/html; charset=utf-8\n\n\
    <a href='http://login.evil.example/x'>https://www.mybank.example/</a>\
    <a href='http://例え.jp/道'>日本語</a> <a href='http://xn--bcher-kva.example/%C3%BC'>books</a>\
    <a href='https://موقع.example/'>عربي</a> <a href='ftp://a.example/'>ftp</a>\n";

#[test]
fn a_link_opens_and_the_list_stays() {
    let Some(screen) = Screen::of("opens", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    // The last line is drawn last.
    let shown = screen.shows("q end");
    assert!(shown.contains("its text names another host than it leads to"), "{shown}");
    assert!(shown.contains("http://bücher.example/ü") && shown.contains("日本語"), "{shown}");
    screen.keys(&["Enter"]);
    screen.shows("opened");
    screen.file_has("opened", "http://login.evil.example/x\n");
    // Only three schemes open.
    screen.keys(&["End", "Enter"]);
    screen.shows("not opened: ftp: links open only with --any-scheme");
    screen.keys(&["u"]);
    screen.shows("http://xn--bcher-kva.example/%C3%BC");
    screen.keys(&["Home", "d"]);
    screen.shows("text-names-another-host: ");
    screen.keys(&["d", "q"]);
    screen.shows("status 0");
    assert_eq!(fs::read_to_string(screen.path("opened")).unwrap().lines().count(), 1);
}

#[test]
fn a_number_goes_to_a_link_and_what_opens_is_named() {
    let page = "From: a@b.example\nSubject: x\nContent-Type: text/html\n\n<p>a <a href='http://a.example/long/path'>the books</a> b\
                <a href='http://b.example/x'><img src='http://c.example/i.png'></a> \
                <a href='http://d.example/'>http://d.example/</a></p>";
    let Some(screen) = Screen::of("numbers", "", page) else { return };
    screen.shows("4 of 4 links");
    let shown = screen.shows("q end");
    // The text first, then the host, then the address.
    assert!(
        shown.contains("1 the books  a.example\n")
            && shown.contains("  http://a.example/long/path\n"),
        "{shown}"
    );
    // Nobody sees the address of an image.
    for once in ["http://b.example/x", "http://c.example/i.png"] {
        assert_eq!(shown.matches(once).count(), 1, "{shown}");
    }
    screen.keys(&["2", "Enter"]);
    screen.shows("opened http://b.example/x");
    screen.file_has("opened", "http://b.example/x\n");
    screen.keys(&["9"]);
    screen.shows("no link has the number 9");
    screen.keys(&["3"]);
    screen.shows("link 3");
    screen.keys(&["Home", "Tab", "Tab", "Enter"]);
    screen.shows("opened 2 links, the last one http://b.example/x");
    screen.keys(&["q"]);
    screen.shows("status 0");
}

#[test]
fn what_is_marked_is_written() {
    let Some(screen) = Screen::of("marks", "--print='{n} {open}'", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    screen.keys(&["Tab", "Down", "Tab"]);
    screen.shows("2 marked");
    screen.keys(&["Enter"]);
    screen.shows("status 0");
    let written = "1 http://login.evil.example/x\n3 http://xn--r8jz45g.jp/%E9%81%93\n";
    assert_eq!(fs::read_to_string(screen.path("out")).unwrap(), written);
}

#[test]
fn letters_filter_and_a_copy_goes_to_the_clipboard() {
    let Some(screen) = Screen::of("filter", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    screen.keys(&["b", "o", "o", "k"]);
    screen.shows("1 of 6 links  filter: book");
    screen.keys(&["C-y"]);
    screen.shows("copied http://xn--bcher-kva.example/%C3%BC");
    screen.when("the clipboard should have it", |_| {
        screen.tmux(&["show-buffer"]) == "http://xn--bcher-kva.example/%C3%BC"
    });
    screen.keys(&["z"]);
    screen.shows("no link has that");
    screen.keys(&["Escape"]);
    screen.shows("6 of 6 links");
    screen.keys(&["Escape"]);
    screen.shows("status 1");
}

#[test]
fn a_small_screen_keeps_the_host_and_ten_thousand_links_scroll() {
    let many: String =
        (1..=10_000).map(|n| format!("http://host{n}.example/{}\n", "p".repeat(90))).collect();
    let Some(screen) = Screen::of("many", "", &many) else { return };
    screen.shows("10000 of 10000 links");
    screen.keys(&["End"]);
    screen.shows("http://host10000.example/");
    screen.tmux(&["resize-window", "-x", "30", "-y", "6"]);
    screen.when("the lines should be cut", |screen| {
        screen.lines().all(|line| line.chars().count() <= 30)
            && screen.contains("host10000.example")
            && screen.contains('…')
    });
    screen.keys(&["g"]);
    screen.shows("host1.example");
    screen.keys(&["C-c"]);
    screen.shows("status 1");
}

#[test]
fn a_narrow_screen_has_all_of_a_warning_and_the_keys_that_people_need_most() {
    let Some(screen) = Screen::of("narrow", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    screen.tmux(&["resize-window", "-x", "40", "-y", "12"]);
    let shown = screen.shows("Enter open  Tab mark  d details  q end");
    let words = shown.replace('▌', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("its text names another host than it leads to"), "{shown}");
    screen.keys(&["d"]);
    let shown = screen.shows("any other key goes back");
    assert!(shown.contains("shown  http://login.evil.example/x"), "{shown}");
    // Letters go to the filter, so the commands need Ctrl.
    screen.keys(&["x"]);
    screen.shows("Enter open");
    screen.tmux(&["resize-window", "-x", "80", "-y", "12"]);
    screen.keys(&["/"]);
    screen.shows("Enter open  Tab mark  Ctrl-y copy  Ctrl-d details  Esc clear");
}

#[test]
fn a_terminal_that_is_closed_ends_it() {
    let Some(screen) = Screen::of("closed", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    let pid = fs::read_to_string(screen.path("pid")).unwrap();
    let runs = || {
        let asked = Command::new("kill").args(["-0", pid.trim()]).output();
        asked.is_ok_and(|asked| asked.status.success())
    };
    assert!(runs());
    screen.tmux(&["kill-session"]);
    let begun = Instant::now();
    while runs() {
        assert!(begun.elapsed() < PATIENCE, "it should end");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn without_a_link_it_says_so_and_one_link_may_open_at_once() {
    let done = iriscan("pick", "no link here\n").exits(1);
    done.says(&["no link to choose from"]);
    let done = iriscan("pick --open-single --print", "see http://a.example/é\n").exits(0);
    assert_eq!(done.stdout, b"http://a.example/%C3%A9\n");
}

const MBOX: &str = "From a@b.example Mon Jan  5 10:00:00 2026\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\
    From: Ren <r@a.example>\nMessage-ID: <1@a.example>\nMIME-Version: 1.0\n\
    Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
    c2llaGUgaHR0cDovL2EuZXhhbXBsZS/DqSBoZXV0ZQo=\n\n\
    From a@b.example Mon Jan  5 11:00:00 2026\nSubject: two\n\n\
    wrapped: https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fin.example%2Fx&data=05\n\
    and https://موقع.example/ end\n";

#[test]
fn links_of_mail_are_in_their_context_and_name_their_message() {
    let Some(screen) = Screen::of("mail", "--schemes https,http", MBOX) else { return };
    screen.shows("3 of 3 links");
    let shown = screen.shows("q end");
    assert!(shown.contains("siehe http://a.example/é heute"), "{shown}");
    assert!(shown.contains("a wrapper around https://in.example/x"), "{shown}");
    assert!(shown.contains("https://موقع.example/"), "{shown}");
    screen.keys(&["d"]);
    screen.shows("Grüße");
    // The details are longer than the screen.
    screen.keys(&["PageDown", "PageDown"]);
    screen.shows("1@a.example");
    // Nothing else writes to the terminal.
    thread::sleep(Duration::from_millis(1500));
    assert!(!screen.shows("1@a.example").contains("B/s"));
    screen.keys(&["PageUp", "PageUp"]);
    screen.when("the start of the details", |screen| screen.contains("  shown  "));
    screen.keys(&["x"]);
    // The filter knows the subject, too.
    screen.shows("Enter open");
    screen.keys(&["t", "w", "o"]);
    screen.shows("2 of 3 links  filter: two");
    screen.keys(&["Escape"]);
    screen.shows("3 of 3 links");
    screen.keys(&["q"]);
    screen.shows("status 1");
}

#[test]
fn what_is_inside_a_wrapper_opens_and_the_list_says_so() {
    let Some(screen) = Screen::of("unwraps", "--unwrap", MBOX) else { return };
    screen.shows("3 of 3 links");
    screen.keys(&["i", "n", "."]);
    let shown = screen.shows("taken out of a wrapper of nam02.safelinks.protection.outlook.com");
    assert!(shown.contains("https://in.example/x"), "{shown}");
    screen.keys(&["Enter"]);
    screen.file_has("opened", "https://in.example/x\n");
}

#[test]
fn a_program_that_fails_is_told() {
    let Some(screen) = Screen::of("fails", "", "http://a.example/fails") else { return };
    screen.shows("1 of 1 links");
    screen.keys(&["Enter"]);
    screen.shows("not opened: ./opener failed (exit status: 3)");
    screen.keys(&["q"]);
    screen.shows("status 2");
}

#[test]
fn links_that_open_the_same_are_one_and_the_filter_is_edited() {
    let text = "http://a.example/x http://b.example/ http://a.example/x http://a.example/%78";
    let Some(screen) = Screen::of("folds", "", text) else { return };
    screen.shows("3 of 3 links");
    screen.shows("http://a.example/x  ×2");
    screen.keys(&["?"]);
    screen.shows("any other key goes back");
    screen.shows("move (also j, k, g, G");
    screen.keys(&["x", "/", "a", ".", "e", " ", "x"]);
    screen.shows("filter: a.e x_");
    screen.keys(&["C-w"]);
    screen.shows("filter: a.e _");
    screen.keys(&["C-u"]);
    screen.shows("3 of 3 links");
    screen.keys(&["n", "o", "n", "e", "Enter"]);
    screen.shows("no link is left to choose");
    screen.keys(&["Escape"]);
    // The wheel, and a click on the third link.
    screen.keys(&["-l", "\x1b[<65;5;5M"]);
    screen.when("the second link should be the current one", |screen| {
        screen.lines().any(|line| line.starts_with('▌') && line.contains("b.example"))
    });
    screen.keys(&["-l", "\x1b[<0;5;6M"]);
    screen.when("the third link should be the current one", |screen| {
        screen.lines().any(|line| line.starts_with('▌') && line.contains("%78"))
    });
}

#[test]
fn a_browser_of_the_terminal_gets_it_though_the_input_is_a_file() {
    let Some(screen) = Screen::of("w3m", "--open-with './w3m -o x=%s'", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    screen.keys(&["Enter"]);
    // `%s` is the place of the URI, so the program's first argument is `-o`.
    screen.shows("reading -o");
    screen.keys(&["Enter"]);
    screen.shows("6 of 6 links");
    screen.keys(&["q"]);
    screen.shows("status 0");
}

#[test]
fn an_input_that_is_not_read_is_told_at_the_end() {
    let dir = files(&[("a.txt", b"http://a.example/")]);
    let done = iriscan_in(dir.path(), "pick --open-single --print nofile a.txt", "").exits(2);
    assert_eq!(done.stdout, b"http://a.example/\n");
    done.mentions(&["nofile: "]);
}

#[test]
fn a_link_without_what_is_to_be_written_is_told() {
    let page = "<a href='/x'>relative</a>";
    let done = iriscan("pick --format html --open-single --print", page).exits(2);
    assert_eq!(done.stdout, b"");
    done.says(&["/x: it has no {open}"]);
    let done = iriscan("pick --format html --open-single --print={iri}", page).exits(0);
    assert_eq!(done.stdout, b"/x\n");
}

#[test]
fn all_that_is_marked_is_copied() {
    let Some(screen) = Screen::of("copies", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    screen.keys(&["Tab", "Tab", "y"]);
    screen.shows("copied 2 links");
    screen.when("the clipboard should have both", |_| {
        screen.tmux(&["show-buffer"]).lines().count() == 2
    });
}

#[test]
fn a_signal_puts_the_terminal_back() {
    let Some(screen) = Screen::of("signal", "", MESSAGE) else { return };
    screen.shows("6 of 6 links");
    let pid = fs::read_to_string(screen.path("pid")).unwrap();
    assert!(Command::new("kill").args(["-TERM", pid.trim()]).status().unwrap().success());
    let shown = screen.shows("status 143");
    assert!(!shown.contains("6 of 6 links"), "{shown}");
    let stty = screen.tmux(&["display-message", "-p", "#{alternate_on}"]);
    assert_eq!(stty.trim(), "0");
}
