//! The list on the screen, and the keys.
//!
//! Drawn to the terminal itself, because standard output may be a pipe.

use std::{
    env,
    fs::{File, OpenOptions},
    io, mem,
    process::Command,
    time::Duration,
};

use ratatui::{
    Frame, Terminal,
    backend::{Backend, ClearType, WindowSize},
    buffer::Cell,
    crossterm::{
        clipboard::CopyToClipboard,
        event::{
            self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind,
            KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
        },
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
    layout::{Constraint, Layout, Position, Rect, Size},
    prelude::CrosstermBackend,
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph},
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{
    choice::{Choice, Entry},
    opener::{Opener, Opening, TTY},
};
use crate::{
    args::pick::{self, PickArgs},
    messages::text::shown,
    printers::{
        parts::{cut, tail},
        warnings::in_words,
    },
};

/// How often the programs that open links are looked at.
const TICK: Duration = Duration::from_millis(200);

/// Shows the list until the user ends it. Returns the entries that were chosen: with `--print`
/// those to write, else those that were opened; and whether one that should have opened did not.
pub(super) fn choose(
    choice: &mut Choice,
    args: &PickArgs,
    opener: &Opener,
    note: &str,
) -> io::Result<(Vec<usize>, bool)> {
    let mut restored = Restored::begin()?;
    let backend = Tty(CrosstermBackend::new(restored.terminal.try_clone()?));
    let mut terminal = Terminal::new(backend)?;
    let mut screen = Screen::new(choice, args, opener, note);
    let mut opened = Vec::new();
    // From here on a change of the size is an event; one during the first drawing must not be missed.
    event::poll(Duration::ZERO)?;
    loop {
        if let Some(why) = opener.failure() {
            screen.fail(&why);
        }
        terminal.draw(|frame| screen.draw(frame))?;
        // Only where a program may still fail is there something to look for.
        if !opened.is_empty() && !event::poll(TICK)? {
            continue;
        }
        let act = match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => screen.key(key),
            Event::Mouse(mouse) => screen.mouse(mouse),
            _ => continue,
        };
        match act {
            Act::Stay => {}
            Act::End => {
                // One that was opened a moment ago may still fail.
                let late = !opened.is_empty() && opener.settle().is_err();
                return Ok((opened, screen.failed || late));
            }
            Act::Suspend => {
                restored.suspend()?;
                terminal.clear()?;
            }
            Act::Copy(texts) => {
                let text = texts.join("\n");
                execute!(restored.terminal, CopyToClipboard::to_clipboard_from(&text))?;
                screen.note = copied(&texts);
            }
            Act::Take if screen.choice.taken().is_empty() => {
                screen.note = "no link is left to choose; Esc clears the filter".into();
            }
            Act::Take if args.print.is_some() => return Ok((screen.choice.taken(), false)),
            Act::Take => {
                for command in screen.open(&mut opened) {
                    let result = restored.lend(|| opener.run(command))?;
                    terminal.clear()?;
                    if let Err(why) = result {
                        screen.fail(&why);
                    }
                }
            }
        }
    }
}

/// The terminal as what is drawn on. It is never asked where its cursor is, because the question would
/// go to standard output, which may be a file.
struct Tty(CrosstermBackend<File>);

impl Backend for Tty {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.0.draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.0.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}

/// The terminal, which is put back as it was at the end.
struct Restored {
    terminal: File,
}

impl Restored {
    fn begin() -> io::Result<Restored> {
        let mut terminal = OpenOptions::new().read(true).write(true).open(TTY)?;
        catch_ends()?;
        enable_raw_mode()?;
        let begun = execute!(terminal, EnterAlternateScreen, EnableMouseCapture);
        let restored = Restored { terminal };
        begun.map(|()| restored)
    }

    /// Takes the terminal back.
    fn again(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(self.terminal, EnterAlternateScreen, EnableMouseCapture)
    }

    /// Gives the terminal to another program while `work` runs.
    fn lend<T>(&mut self, work: impl FnOnce() -> T) -> io::Result<T> {
        put_back(&mut self.terminal);
        let done = work();
        self.again().map(|()| done)
    }

    /// Stops as Ctrl-Z stops other programs, until the shell brings it back.
    fn suspend(&mut self) -> io::Result<()> {
        self.lend(|| {
            #[cfg(unix)]
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
            Ok(())
        })?
    }
}

/// Puts the terminal back as it was.
fn put_back(terminal: &mut File) {
    let _ = execute!(
        terminal,
        DisableMouseCapture,
        LeaveAlternateScreen,
        ratatui::crossterm::cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Puts the terminal back also if a signal or a bug ends the program.
fn catch_ends() -> io::Result<()> {
    let put_back = || {
        if let Ok(mut terminal) = OpenOptions::new().read(true).write(true).open(TTY) {
            put_back(&mut terminal);
        }
    };
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        put_back();
        report(panic);
    }));
    #[cfg(unix)]
    {
        use signal_hook::{
            consts::{SIGHUP, SIGINT, SIGTERM},
            iterator::Signals,
        };
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                put_back();
                std::process::exit(128 + signal);
            }
        });
    }
    Ok(())
}

impl Drop for Restored {
    fn drop(&mut self) {
        put_back(&mut self.terminal);
    }
}

/// What a key asks for.
enum Act {
    Stay,
    End,
    Take,
    /// Ctrl-Z.
    Suspend,
    /// These, a line for each.
    Copy(Vec<String>),
}

struct Screen<'c> {
    choice: &'c mut Choice,
    args: &'c PickArgs,
    opener: &'c Opener,
    /// Letters go to the filter.
    typing: bool,
    /// Shows URIs instead of what people read.
    uris: bool,
    /// Shows all of the current link, from this line on.
    details: Option<u16>,
    /// Shows the keys, from this line on.
    help: Option<u16>,
    /// The digits that were typed last.
    number: String,
    /// The first entry on the screen, of those that the filter leaves.
    top: usize,
    /// The entry in each row of the screen, of those that the filter leaves.
    rows: Vec<usize>,
    /// A link that should have opened did not.
    failed: bool,
    /// The last thing that was done.
    note: String,
}

/// Says which links were copied.
fn copied(links: &[String]) -> String {
    match links {
        [one] => format!("copied {one}"),
        all => format!("copied {} links", all.len()),
    }
}

/// So many lines has a page, for the keys that turn one.
const PAGE: isize = 8;

/// So many lines of the details.
const TURN: u16 = 8;

impl<'c> Screen<'c> {
    fn new(
        choice: &'c mut Choice,
        args: &'c PickArgs,
        opener: &'c Opener,
        note: &str,
    ) -> Screen<'c> {
        Screen {
            choice,
            args,
            opener,
            typing: false,
            uris: false,
            details: None,
            help: None,
            number: String::new(),
            top: 0,
            rows: Vec::new(),
            failed: false,
            note: note.to_owned(),
        }
    }

    /// Notes that a link did not open.
    fn fail(&mut self, why: &str) {
        self.note = format!("not opened: {why}");
        self.failed = true;
    }

    fn key(&mut self, key: KeyEvent) -> Act {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        self.note.clear();
        if control && key.code == KeyCode::Char('z') {
            return Act::Suspend;
        }
        if control && key.code == KeyCode::Char('c') {
            return Act::End;
        }
        if let Some(line) = self.help {
            self.help = scrolled(line, key.code);
            return Act::Stay;
        }
        if let Some(line) = self.details
            && key.code != KeyCode::Enter
        {
            self.details = scrolled(line, key.code);
            return Act::Stay;
        }
        let digits = mem::take(&mut self.number);
        if let KeyCode::Char(digit @ '0'..='9') = key.code
            && !self.typing
            && !control
        {
            return self.digit(digits, digit);
        }
        self.key_of_list(key)
    }

    /// Takes a key while the list is shown, and nothing over it. Digits are not among these keys.
    fn key_of_list(&mut self, key: KeyEvent) -> Act {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc if !self.choice.filter().is_empty() || self.typing => {
                self.typing = false;
                self.choice.set_filter(String::new());
            }
            KeyCode::Esc => return Act::End,
            KeyCode::Enter => return Act::Take,
            KeyCode::Tab => self.choice.mark(),
            KeyCode::Up => self.choice.go(-1),
            KeyCode::Down => self.choice.go(1),
            KeyCode::PageUp => self.choice.go(-PAGE),
            KeyCode::PageDown => self.choice.go(PAGE),
            KeyCode::Home => self.choice.go(isize::MIN),
            KeyCode::End => self.choice.go(isize::MAX),
            KeyCode::Backspace => {
                let mut filter = self.choice.filter().to_owned();
                self.typing = filter.pop().is_some() && !filter.is_empty();
                self.choice.set_filter(filter);
            }
            KeyCode::Char('u') if control && self.typing => self.choice.set_filter(String::new()),
            KeyCode::Char('w') if control => {
                let filter = self.choice.filter().trim_end();
                let words = filter.rfind(char::is_whitespace).map_or("", |at| &filter[..=at]);
                let words = words.to_owned();
                self.choice.set_filter(words);
            }
            KeyCode::Char('?') if !self.typing => self.help = Some(0),
            KeyCode::Char(c @ ('y' | 'u' | 'd')) if control || !self.typing => {
                return self.command(c);
            }
            KeyCode::Char(_) if control => {}
            KeyCode::Char('q') if !self.typing => return Act::End,
            KeyCode::Char('j') if !self.typing => self.choice.go(1),
            KeyCode::Char('k') if !self.typing => self.choice.go(-1),
            KeyCode::Char('g') if !self.typing => self.choice.go(isize::MIN),
            KeyCode::Char('G') if !self.typing => self.choice.go(isize::MAX),
            KeyCode::Char('/') if !self.typing => self.typing = true,
            KeyCode::Char(c) => {
                self.typing = true;
                let filter = [self.choice.filter(), c.encode_utf8(&mut [0; 4])].concat();
                self.choice.set_filter(filter);
            }
            _ => {}
        }
        Act::Stay
    }

    /// The wheel moves; a button goes to a link, and takes it if it is there already.
    fn mouse(&mut self, mouse: MouseEvent) -> Act {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.choice.go(-1),
            MouseEventKind::ScrollDown => self.choice.go(1),
            MouseEventKind::Down(MouseButton::Left)
                if self.details.is_none() && self.help.is_none() =>
            {
                // The first row is the head.
                let row = usize::from(mouse.row).checked_sub(1);
                let Some(at) = row.and_then(|row| self.rows.get(row)).copied() else {
                    return Act::Stay;
                };
                self.note.clear();
                if at == self.choice.at() {
                    return Act::Take;
                }
                self.choice.go(at as isize - self.choice.at() as isize);
            }
            _ => {}
        }
        Act::Stay
    }

    /// Goes to the entry whose number these digits begin.
    fn digit(&mut self, mut digits: String, digit: char) -> Act {
        digits.push(digit);
        let number = digits.parse().unwrap_or(usize::MAX);
        let there = self.choice.go_to(number) || number == 0;
        self.note = match there {
            true => format!("link {digits}"),
            false => format!("no link has the number {digits}"),
        };
        if there && number > 0 {
            self.number = digits;
        }
        Act::Stay
    }

    fn command(&mut self, letter: char) -> Act {
        match letter {
            'y' => {
                let entries = self.choice.taken();
                let text = |entry: &usize| {
                    let entry = &self.choice.entries()[*entry];
                    entry.open.clone().unwrap_or_else(|| entry.uri.text())
                };
                let texts: Vec<String> = entries.iter().map(text).collect();
                return if texts.is_empty() { Act::Stay } else { Act::Copy(texts) };
            }
            'u' => self.uris = !self.uris,
            _ => self.details = self.choice.current().map(|_| 0),
        }
        Act::Stay
    }

    /// Opens what is chosen, and notes it. Returns what wants the terminal.
    fn open(&mut self, opened: &mut Vec<usize>) -> Vec<Command> {
        let (mut done, mut wrong, mut waiting) = (0, None, Vec::new());
        for entry in self.choice.taken() {
            match self.opener.open(&self.choice.entries()[entry]) {
                Ok(Opening::Failed(why)) => {
                    self.failed = true;
                    wrong = Some(why);
                }
                Ok(opening) => {
                    match opening {
                        Opening::InTerminal(command) => waiting.push(command),
                        Opening::Apart(child) => self.opener.let_run(child),
                        Opening::Failed(_) => {}
                    }
                    done += 1;
                    opened.push(entry);
                }
                Err(why) => wrong = Some(why),
            }
        }
        let last = opened.last().map(|entry| &self.choice.entries()[*entry]);
        let last = last.and_then(|entry| entry.open.as_deref()).map(shown).unwrap_or_default();
        self.note = match (done, wrong) {
            (_, Some(why)) => format!("not opened: {why}"),
            (1, None) => format!("opened {last}"),
            (n, None) => format!("opened {n} links, the last one {last}"),
        };
        waiting
    }
}

// ---- Drawing ----

/// True if colours are wanted.
fn has_colors() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn colored(color: u8) -> Style {
    if has_colors() { Style::new().fg(Color::Indexed(color)) } else { Style::new() }
}

// The colours of the output of `find`, which can be read on dark and light terminals. Nothing is
// dim: where the colour of text is soft already, nobody could read it.
fn link() -> Style {
    colored(31)
}

fn warning() -> Style {
    colored(166)
}

fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

impl Screen<'_> {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        let parts = [Constraint::Length(1), Constraint::Min(1), Constraint::Length(1)];
        let [head, body, foot] = Layout::vertical(parts).areas(frame.area());
        frame.render_widget(Paragraph::new(self.head()), head);
        self.list(frame, body);
        frame.render_widget(Paragraph::new(self.foot(foot.width.into())), foot);
        if let Some(line) = self.details {
            self.details = Some(self.show_details(frame, body, line));
        }
        if let Some(line) = self.help {
            let block = Block::bordered().title("the keys");
            let inner = block.inner(body);
            let rows = help(inner.width.into());
            let line = line.min(last_line(rows.len(), inner));
            self.help = Some(line);
            frame.render_widget(Clear, body);
            let rows: Vec<Line<'static>> = rows.into_iter().map(Line::raw).collect();
            frame.render_widget(Paragraph::new(rows).scroll((line, 0)).block(block), body);
        }
    }

    fn head(&self) -> Line<'static> {
        let (all, left) = (self.choice.entries().len(), self.choice.left().len());
        let mut spans = vec![Span::styled(format!("{left} of {all} links"), bold())];
        if self.choice.marks() > 0 {
            spans.push(Span::raw(format!(", {} marked", self.choice.marks())));
        }
        if self.typing || !self.choice.filter().is_empty() {
            spans.push(Span::raw(format!("  filter: {}", self.choice.filter())));
            spans.push(Span::raw(if self.typing { "_" } else { "" }));
        }
        Line::from(spans)
    }

    fn foot(&self, room: usize) -> Line<'static> {
        if !self.note.is_empty() {
            return Line::styled(self.note.clone(), bold());
        }
        Line::raw(hints(&self.keys(), room))
    }

    /// The keys and what they do, each with a number that is small if people need it most.
    fn keys(&self) -> Vec<(u8, String)> {
        if self.help.is_some() || self.details.is_some() {
            return vec![(0, "Up Down scroll".into()), (1, "any other key goes back".into())];
        }
        let enter = if self.args.print.is_some() { "write" } else { "open" };
        let form = if self.uris { "IRI" } else { "URI" };
        // While letters go to the filter, other keys do what they do.
        let control = if self.typing { "Ctrl-" } else { "" };
        let mut keys = vec![
            (0, format!("Enter {enter}")),
            (2, "Tab mark".into()),
            (4, format!("{control}y copy")),
            (3, format!("{control}d details")),
        ];
        if !self.typing {
            keys.push((6, format!("u {form}")));
        }
        match self.typing {
            true => keys.push((1, "Esc clear".into())),
            false => {
                keys.extend([(5, "/ filter".into()), (4, "? keys".into()), (1, "q end".into())])
            }
        }
        keys
    }

    fn list(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let height = usize::from(area.height);
        let at = self.choice.at();
        self.top = self.top.min(at);
        // Down, until the current entry is on the screen; only the entries on it are counted.
        let width = usize::from(area.width);
        let lines = |entry: &usize| {
            let entry = &self.choice.entries()[*entry];
            1 + usize::from(has_second(entry)) + remarks(entry, width).len()
        };
        let (mut first, mut used) = (at, 0);
        for (i, entry) in
            self.choice.left()[..(at + 1).min(self.choice.left().len())].iter().enumerate().rev()
        {
            used += lines(entry);
            if used > height && i < at {
                break;
            }
            first = i;
        }
        self.top = self.top.max(first);
        let (mut rows, mut entries) = (Vec::new(), Vec::new());
        for (i, entry) in self.choice.left().iter().enumerate().skip(self.top) {
            if rows.len() >= height {
                break;
            }
            self.entry(*entry, i == at, width, &mut rows);
            entries.resize(rows.len(), i);
        }
        self.rows = entries;
        if self.choice.left().is_empty() {
            rows.push(Line::raw("no link has that; Esc clears the filter"));
        }
        frame.render_widget(Paragraph::new(rows), area);
    }

    /// The lines of an entry: its text and its host, the address; or the address, and the text around it; and its
    /// warnings.
    fn entry(&self, number: usize, current: bool, width: usize, rows: &mut Vec<Line<'static>>) {
        let entry = &self.choice.entries()[number];
        let bar = if current { "▌" } else { " " };
        let mark = if self.choice.is_marked(number) { "●" } else { " " };
        let head = format!("{bar}{mark}{:>1$} ", number + 1, digits(self.choice.entries().len()));
        let times = if entry.times > 1 { format!("  ×{}", entry.times) } else { String::new() };
        let room = width.saturating_sub(head.width() + 1 + times.width());
        let mut first = vec![Span::styled(head, link())];
        let underline = if current { Modifier::UNDERLINED } else { Modifier::empty() };
        let address = |room| {
            let parts = if self.uris { &entry.uri } else { &entry.shown }.fitted(room);
            let parts = [(parts.before, false), (parts.host, true), (parts.after, false)];
            parts.map(|(part, is_host)| {
                let style = if is_host { link().add_modifier(Modifier::BOLD) } else { link() };
                Span::styled(part.into_owned(), style)
            })
        };
        let underlined = |span: Span<'static>| {
            let style = span.style.add_modifier(underline);
            span.style(style)
        };
        let mut second = vec![Span::styled(format!("{bar}    "), link())];
        match entry.is_named {
            true => {
                // The host is cut only if it alone is too long; then its end stays.
                let host = tail(&entry.shown.host, room);
                let text = cut(&entry.text, room.saturating_sub(host.width() + 2));
                first.push(Span::styled(text, bold().add_modifier(underline)));
                first.push(Span::raw(if host.is_empty() { "" } else { "  " }));
                first.push(Span::styled(host, link().add_modifier(Modifier::BOLD)));
                second.extend(address(width.saturating_sub(6)));
            }
            false => {
                first.extend(address(room).map(underlined));
                second.extend(around(entry, width.saturating_sub(6)));
            }
        }
        first.push(Span::raw(times));
        rows.push(Line::from(first));
        if has_second(entry) {
            rows.push(Line::from(second));
        }
        for text in remarks(entry, width) {
            let spans =
                vec![Span::styled(format!("{bar}    "), link()), Span::styled(text, warning())];
            rows.push(Line::from(spans));
        }
    }

    /// Shows all of the current link from `line` on, or from the last line that leaves none of the
    /// screen free. Returns that line.
    fn show_details(&self, frame: &mut Frame<'_>, area: Rect, line: u16) -> u16 {
        let Some(entry) = self.choice.current() else { return 0 };
        let mut lines = Vec::new();
        for one in &entry.warnings {
            let text = format!("{:>9}  {}: {}", "warning", one.as_str(), in_words(*one));
            lines.push(Line::styled(text, warning()));
        }
        for (name, value) in entry.facts() {
            lines.push(Line::from(vec![
                Span::styled(format!("{name:>9}  "), bold()),
                Span::raw(value),
            ]));
        }
        frame.render_widget(Clear, area);
        let block = Block::bordered().title("the link");
        let inner = block.inner(area);
        let room = usize::from(inner.width);
        let rows: Vec<Line<'static>> = lines.iter().flat_map(|line| wrapped(line, room)).collect();
        let line = line.min(last_line(rows.len(), inner));
        frame.render_widget(Paragraph::new(rows).scroll((line, 0)).block(block), area);
        line
    }
}

/// The line that a text begins with after this key; `None` if the key ends it.
fn scrolled(line: u16, key: KeyCode) -> Option<u16> {
    match key {
        KeyCode::Down | KeyCode::Char('j') => Some(line.saturating_add(1)),
        KeyCode::Up | KeyCode::Char('k') => Some(line.saturating_sub(1)),
        KeyCode::PageDown | KeyCode::Char(' ') => Some(line.saturating_add(TURN)),
        KeyCode::PageUp => Some(line.saturating_sub(TURN)),
        _ => None,
    }
}

/// The last line that a text of so many rows can begin with, so that none of the area is free.
fn last_line(rows: usize, area: Rect) -> u16 {
    u16::try_from(rows.saturating_sub(usize::from(area.height))).unwrap_or(u16::MAX)
}

/// The keys and what they do, in lines of so many columns.
fn help(room: usize) -> Vec<String> {
    let rows = pick::KEYS.lines().map(str::trim);
    let rows =
        rows.map(|row| row.split_once("  ").map_or(("", row), |(key, does)| (key, does.trim())));
    let rows: Vec<(&str, &str)> = rows.collect();
    let column = rows.iter().map(|(key, _)| key.len() + 2).max().unwrap_or(0);
    // Where there is no room for two columns, what a key does comes below it.
    let column = if column + 20 > room { 2 } else { column };
    let mut lines = Vec::new();
    for (key, does) in rows {
        let indent = if key.is_empty() { 0 } else { column };
        let mut line = key.to_owned();
        if line.len() + 2 > indent && indent > 0 {
            lines.push(std::mem::take(&mut line));
        }
        line.extend(std::iter::repeat_n(' ', indent.saturating_sub(line.len())));
        for word in does.split(' ') {
            if line.width() + 1 + word.width() > room && line.width() > indent {
                lines.push(std::mem::take(&mut line));
                line = " ".repeat(indent);
            }
            if line.width() > indent {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// The number of digits of a number.
fn digits(number: usize) -> usize {
    number.max(1).ilog10() as usize + 1
}

/// Whether an entry has a second line: of an address that nobody sees there is nothing more to show, unless there
/// is text around it.
fn has_second(entry: &Entry) -> bool {
    let is_alone = entry.before.trim().is_empty() && entry.after.trim().is_empty();
    entry.is_named || !(entry.is_unseen && is_alone)
}

/// The warnings of an entry and whether it is a wrapper, in lines that are broken between words:
/// people have to read all of it.
fn remarks(entry: &Entry, width: usize) -> Vec<String> {
    let room = width.saturating_sub(6);
    let mut lines: Vec<String> = Vec::new();
    for word in entry.remarks.join("; ").split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= room => {
                line.push(' ');
                line.push_str(word);
            }
            // A host may be longer than a line; its end says who owns it.
            _ => lines.push(tail(word, room)),
        }
    }
    lines
}

/// As many of the hints as there is room for, those first that people need most, in their order.
fn hints(keys: &[(u8, String)], room: usize) -> String {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|i| keys[*i].0);
    let (mut kept, mut used) = (vec![false; keys.len()], 0);
    for i in order {
        let width = keys[i].1.width() + 2 * usize::from(used > 0);
        if used + width > room {
            break;
        }
        (kept[i], used) = (true, used + width);
    }
    let shown = keys.iter().zip(kept).filter(|(_, kept)| *kept).map(|((_, key), _)| &**key);
    shown.collect::<Vec<_>>().join("  ")
}

/// The lines that a line takes if it is broken at `room` columns, wherever that is: a link has few
/// spaces.
fn wrapped(line: &Line<'static>, room: usize) -> Vec<Line<'static>> {
    let mut rows = vec![Line::default().style(line.style)];
    let mut used = 0;
    for span in &line.spans {
        let mut text = String::new();
        for c in span.content.chars() {
            let width = c.width().unwrap_or(0);
            if used + width > room && used > 0 {
                let done = Span::styled(mem::take(&mut text), span.style);
                rows.last_mut().into_iter().for_each(|row| row.push_span(done.clone()));
                rows.push(Line::default().style(line.style));
                used = 0;
            }
            used += width;
            text.push(c);
        }
        let done = Span::styled(text, span.style);
        rows.last_mut().into_iter().for_each(|row| row.push_span(done.clone()));
    }
    rows
}

/// The text around a link in a line, with the link in it.
fn around(entry: &Entry, room: usize) -> Vec<Span<'static>> {
    let (before, after) = (entry.before.trim(), entry.after.trim());
    // The address is in the first line already.
    let text = if entry.is_unseen { "…".to_owned() } else { cut(&entry.text, room) };
    let left = room.saturating_sub(text.width());
    let gap = |side: &str, there: bool| if there && !side.is_empty() { " " } else { "" };
    let before = tail(before, left / 2) + gap(before, entry.before.ends_with(char::is_whitespace));
    let space = gap(after, entry.after.starts_with(char::is_whitespace)).to_owned();
    let after = space + &cut(after, left.saturating_sub(before.width()));
    let underlined = Style::new().add_modifier(Modifier::UNDERLINED);
    vec![Span::raw(before), Span::styled(text, underlined), Span::raw(after)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_fit_on_a_usual_screen() {
        // 80 columns and 24 rows, without the frame, the head and the foot.
        let lines = help(78);
        assert!(lines.len() <= 20, "{lines:#?}");
        for room in [20, 30, 50, 78, 200] {
            let lines = help(room);
            assert!(lines.iter().all(|line| line.width() <= room.max(31)), "{lines:#?}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&lines.join(" ")), words(pick::KEYS));
        }
    }

    #[test]
    fn the_keys_that_people_need_most_stay() {
        let keys = [(0, "Enter open"), (2, "Tab mark"), (3, "d details"), (1, "q end")];
        let keys = keys.map(|(need, key)| (need, key.to_owned()));
        for (room, shown) in [
            (80, "Enter open  Tab mark  d details  q end"),
            (37, "Enter open  Tab mark  q end"),
            (20, "Enter open  q end"),
            (10, "Enter open"),
            (9, ""),
        ] {
            assert_eq!(hints(&keys, room), shown);
        }
    }
}
