//! `-z`: compressed inputs, and output in the same format.

use std::{
    fs,
    io::{Read, Write},
    process::Command,
};

use crate::common::{Done, command, files, iriscan, iriscan_in};

const OLD: &str = "see http://e.org/é\n";
const NEW: &str = "see http://e.org/%C3%A9\n";

const FORMATS: [&str; 4] = ["gz", "zst", "bz2", "xz"];

fn pack(format: &str, bytes: &[u8]) -> Vec<u8> {
    let out = Vec::new();
    match format {
        "gz" => {
            let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::new(6));
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "zst" => zstd::encode_all(bytes, 3).unwrap(),
        "bz2" => {
            let mut encoder = bzip2::write::BzEncoder::new(out, bzip2::Compression::new(1));
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        _ => {
            let options = lzma_rust2::XzOptions::with_preset(1);
            let mut encoder = lzma_rust2::XzWriter::new(out, options).unwrap();
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
    }
}

#[track_caller]
fn unpack(format: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut reader: Box<dyn Read + '_> = match format {
        "gz" => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        "zst" => Box::new(zstd::Decoder::new(bytes).unwrap()),
        "bz2" => Box::new(bzip2::read::MultiBzDecoder::new(bytes)),
        _ => Box::new(lzma_rust2::XzReader::new(bytes, true)),
    };
    reader.read_to_end(&mut out).unwrap();
    out
}

/// Lines that can be compressed, but not to almost nothing.
fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{} see http://e.org/{n}é\n", n * n * 7919 % 1_000_003)).collect()
}

#[test]
fn who_forgets_the_option_is_told() {
    for format in FORMATS {
        let (name, packed) = (format!("a.txt.{format}"), pack(format, OLD.as_bytes()));
        let dir = files(&[(&name, &packed)]);
        let forgot = [&*name, "compressed", "-z"];
        let run = |args: &str| iriscan_in(dir.path(), &format!("{args} {name}"), "");
        run("find").says(&forgot);
        run("find --format sniff").says(&forgot);
        run("rewrite").exits(0).mentions(&forgot);
        run("rewrite --check").mentions(&forgot);
        // Some formats keep parts of the text unchanged; a rewritten link would damage the file.
        run("rewrite -i").exits(2).says(&["left as it is", "-z"]).writes("");
        assert_eq!(fs::read(dir.path().join(&name)).unwrap(), packed);
        run("report -o r.html").exits(0).says(&forgot).writes("");
        run("find -z").exits(0).quiet();
        // In a folder, it is left out like other binary files.
        iriscan_in(dir.path(), "find --glob !r.html .", "").exits(1).quiet();
    }
    // Files that have the extension and are not compressed.
    let dir = files(&[("a.gz", OLD.as_bytes()), ("empty.xz", b"")]);
    iriscan_in(dir.path(), "find a.gz empty.xz", "").exits(0).quiet();
}

#[test]
fn each_format_is_told_by_its_first_bytes() {
    for format in FORMATS {
        let packed = pack(format, OLD.as_bytes());
        iriscan("find -z", &packed).exits(0).quiet().writes("http://e.org/%C3%A9\n");
        let record = iriscan("find -z --json", &packed).exits(0).record();
        assert_eq!((&record["start"], &record["end"]), (&4.into(), &19.into()), "{format}");
        // Without -z the compressed bytes are searched.
        assert_ne!(iriscan("find", &packed).stdout, b"http://e.org/%C3%A9\n", "{format}");
        // Several streams in one file.
        let twice = [&packed[..], &packed].concat();
        iriscan("find -z --count", &twice).exits(0).quiet().writes("2\n");
        iriscan("find -z --count", pack(format, b"")).exits(1).quiet().writes("0\n");
    }
    for plain in [OLD, "", "B", "BZh9 http://e.org/", "\x1F", "PK"] {
        iriscan("rewrite -z", plain).exits(0).quiet().writes(plain.replace('é', "%C3%A9"));
    }
}

/// The last block of a tape is filled with zeros, and `gzip -d` accepts them.
#[test]
fn zeros_after_the_last_gzip_member_are_padding() {
    let packed = pack("gz", OLD.as_bytes());
    let twice = [&packed[..], &packed].concat();
    for zeros in [1, 2, 3, 9, 10, 511, 10_240, 100_000] {
        let padding = vec![0; zeros];
        let padded = [&twice[..], &padding].concat();
        iriscan("find -z --count", &padded).exits(0).quiet().writes("2\n");
        let done = iriscan("rewrite -z", &padded).exits(0).quiet();
        assert_eq!(unpack("gz", &done.stdout), NEW.repeat(2).as_bytes());
        let dir = files(&[("a.gz", &padded)]);
        iriscan_in(dir.path(), "rewrite -z -i a.gz", "").exits(0).quiet();
        let now = fs::read(dir.path().join("a.gz")).unwrap();
        assert_eq!(unpack("gz", &now), NEW.repeat(2).as_bytes());
        // Other bytes are an error, and so is a member after the zeros.
        for rest in [&b"x"[..], &packed] {
            let broken = [&padded[..], rest].concat();
            iriscan("find -z --count", &broken).exits(2).says(&["cut short or damaged", "zeros"]);
        }
    }
    // Without zeros, other bytes and a cut member are errors too.
    iriscan("find -z --count", [&packed[..], b"garbage"].concat()).exits(2).says(&["damaged"]);
    iriscan("find -z --count", [&packed[..], &packed[..9]].concat()).exits(2).says(&["damaged"]);
}

#[test]
fn rewrite_gives_the_same_format_back() {
    let text = lines(10_000);
    for format in FORMATS {
        let done = iriscan("rewrite -z", pack(format, text.as_bytes())).exits(0).quiet();
        assert!(done.stdout.len() < text.len() / 2, "{format}");
        assert!(unpack(format, &done.stdout) == text.replace('é', "%C3%A9").as_bytes(), "{format}");
        iriscan("rewrite -z --check", pack(format, OLD.as_bytes())).exits(1).writes("");
        iriscan("rewrite -z --check", pack(format, NEW.as_bytes())).exits(0).writes("");
        let diff = iriscan("rewrite -z --diff", pack(format, OLD.as_bytes())).exits(0).stdout;
        assert!(String::from_utf8(diff).unwrap().contains("\n+see http://e.org/%C3%A9\n"));
    }
}

#[test]
fn in_place_too_and_only_what_changes() {
    for format in FORMATS {
        let (a, b) = (pack(format, OLD.as_bytes()), pack(format, NEW.as_bytes()));
        let dir = files(&[("a", &a), ("b", &b), ("c", OLD.as_bytes())]);
        iriscan_in(dir.path(), "rewrite -z --in-place=~ a b c", "").exits(0).quiet();
        let read = |name: &str| fs::read(dir.path().join(name)).unwrap();
        assert_eq!(unpack(format, &read("a")), NEW.as_bytes());
        assert!(read("a~") == a && read("b") == b && read("c") == NEW.as_bytes());
        assert!(!dir.path().join("b~").exists());
    }
}

#[test]
fn the_name_inside_tells_the_format() {
    let page = b"<a href='/x'>";
    let mail = "Subject: x\nContent-Type: text/plain; charset=utf-8\n\nhttp://e.org/é\n";
    for format in FORMATS {
        let (html, eml) = (format!("p.html.{format}"), format!("m.eml.{format}"));
        let (page, mail) = (pack(format, page), pack(format, mail.as_bytes()));
        let dir = files(&[(&html, &page), (&eml, &mail), ("x", &page)]);
        iriscan_in(dir.path(), &format!("find -z {html}"), "").exits(0).writes("/x\n");
        iriscan_in(dir.path(), "find -z --format html x", "").exits(0).writes("/x\n");
        iriscan_in(dir.path(), "find -z --format sniff x", "").exits(0).writes("/x\n");
        let record = iriscan_in(dir.path(), &format!("find -z --json {eml}"), "").record();
        assert_eq!(record["line"], 4);
        iriscan_in(dir.path(), &format!("rewrite -z -i {eml}"), "").exits(0).quiet();
        let now = unpack(format, &fs::read(dir.path().join(eml)).unwrap());
        assert!(now.ends_with(b"\n\nhttp://e.org/%C3%A9\n"));
    }
}

#[test]
fn trees_hold_them() {
    let (gz, xz) = (pack("gz", OLD.as_bytes()), pack("xz", b"\0binary http://e.org/"));
    let dir = files(&[("a.gz", &gz), ("b", OLD.as_bytes()), ("c.xz", &xz)]);
    let all = "./a.gz:http://e.org/%C3%A9\n./b:http://e.org/%C3%A9\n";
    iriscan_in(dir.path(), "find -z .", "").exits(0).quiet().writes(all);
    iriscan_in(dir.path(), "find .", "").exits(0).quiet().writes("./b:http://e.org/%C3%A9\n");
}

#[test]
fn what_is_cut_short_or_damaged_is_used_as_far_as_it_goes() {
    let text = lines(20_000);
    let all = text.replace('é', "%C3%A9");
    for format in FORMATS {
        let packed = pack(format, text.as_bytes());
        let name = format!("a.{format}");
        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 64].fill(0xA5);
        for broken in [&packed[..packed.len() - 5], &packed[..packed.len() * 3 / 4], &damaged] {
            let dir = files(&[(&name, broken)]);
            let done = iriscan_in(dir.path(), &format!("rewrite -z {name}"), "").exits(2);
            let done = done.says(&[
                &format!("iriscan: {name}: cut short or damaged ("),
                "what could be read was used",
            ]);
            let got = unpack(format, &done.stdout);
            // The last block may be wrong; all bytes before it are right.
            let same = all.bytes().zip(&got).take_while(|(a, b)| a == *b).count();
            assert!(same > all.len() / 5 || format == "xz", "{format}: {same}");
            let done = iriscan_in(dir.path(), &format!("find -z {name}"), "").exits(2);
            assert!(!done.stdout.is_empty(), "{format}");
            let done = iriscan_in(dir.path(), &format!("rewrite -iz {name}"), "").exits(2);
            done.says(&[&format!("iriscan: {name}: "), "left as it is"]);
            assert!(fs::read(dir.path().join(&name)).unwrap() == broken);
        }
    }
}

#[test]
fn hostile_streams_end() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    for format in FORMATS {
        let packed = pack(format, lines(50).as_bytes());
        for _ in 0..20 {
            let mut bytes = packed.clone();
            for _ in 0..4 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let at = 6 + state as usize % (bytes.len() - 6);
                bytes[at] = (state >> 40) as u8;
            }
            let done = iriscan("find -z", &bytes);
            assert!(!done.stderr.contains("panicked"), "{format}: {}", done.stderr);
        }
    }
    // An xz stream that asks for 4 GiB.
    let mut bytes = pack("xz", OLD.as_bytes());
    let property = bytes[12..].iter().position(|b| *b == 0x21).unwrap() + 12 + 2;
    bytes[property] = 40;
    iriscan("find -z", &bytes).exits(2).writes("");
}

/// Files of the usual tools are read, and those tools read ours.
#[test]
fn other_programs_agree() {
    for (format, tool) in FORMATS.iter().zip(["gzip", "zstd", "bzip2", "xz"]) {
        let dir = files(&[("a", lines(1000).as_bytes())]);
        let run = |args: &[&str]| {
            let mut command = Command::new(tool);
            command.args(args).current_dir(dir.path()).output().ok()
        };
        let Some(packed) = run(&["-c", "a"]) else { continue };
        assert!(packed.status.success());
        let done = Done::of(command(["rewrite", "-z"]), &packed.stdout).exits(0).quiet();
        fs::write(dir.path().join(format!("b.{format}")), &done.stdout).unwrap();
        let plain = run(&["-dc", &format!("b.{format}")]).unwrap();
        assert!(plain.status.success(), "{tool}: {}", String::from_utf8_lossy(&plain.stderr));
        assert!(plain.stdout == lines(1000).replace('é', "%C3%A9").as_bytes(), "{tool}");
    }
}

/// zstd with a window of `log` bits.
fn wide_zstd(log: u32, bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(log).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_window_of_zstd_that_is_too_large_is_named() {
    let text = lines(50_000);
    for (log, refused) in [(20, false), (27, false), (28, true), (30, true)] {
        let packed = wide_zstd(log, text.as_bytes());
        if !refused {
            iriscan("find -z --count", &packed).exits(0).quiet().writes("50000\n");
            continue;
        }
        let mib =
            format!("its zstd window of {} MiB is above the limit of 128 MiB", 1 << (log - 20));
        let advice = format!("zstd -d --long={log}");
        for command in ["find -z", "rewrite -z"] {
            iriscan(command, &packed).exits(2).says(&[&mib, &advice]).writes("");
        }
        // A later frame says it only when it is read.
        let later = [pack("zst", OLD.as_bytes()), packed.clone()].concat();
        let done = iriscan("find -z --count", later).exits(2).writes("1\n");
        done.says(&["its zstd window is too large"]);
    }
}
