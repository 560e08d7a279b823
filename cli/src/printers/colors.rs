//! The colours of the terminal, and whether to use them.

use std::env;

use crate::{args::values::ColorArg, messages::terminal};

pub(super) const RESET: &str = "\x1b[0m";
// Colours of the table of 256, from 16 on: the first 16 differ from terminal to terminal. Each
// has a contrast of at least 3:1 (WCAG) to black, to white, and to the backgrounds of the usual
// terminals.
pub(super) const PATH: &str = "\x1b[38;5;133m";
pub(super) const LINE: &str = "\x1b[38;5;64m";
pub(super) const LINK: &str = "\x1b[38;5;31;4m";
pub(super) const WARN: &str = "\x1b[38;5;166m";
pub(super) const OLD: &str = "\x1b[38;5;167m";
pub(super) const NEW: &str = "\x1b[38;5;64m";
pub(super) const HUNK: &str = "\x1b[38;5;31m";
// These keep the colour of the text.
pub(super) const HOST: &str = "\x1b[1m";
pub(super) const HOST_END: &str = "\x1b[22m";
pub(super) const DIM: &str = "\x1b[2m";
pub(super) const BOLD: &str = "\x1b[1m";

/// True if standard output should be in colour. `auto` means colour on a terminal, unless
/// `NO_COLOR` is set and not empty, or `TERM` is `dumb` or not set.
pub(crate) fn are_wanted(color: ColorArg) -> bool {
    let says_no = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        ColorArg::Auto => terminal::is_output() && !says_no("NO_COLOR") && !terminal::is_dumb(),
    }
}

/// True if help should be in colour: as `auto`, but `CLICOLOR` and `CLICOLOR_FORCE` count too, as in
/// other programs with the same parser.
pub(crate) fn help_is_colored() -> bool {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    let is_on = |name| set(name).map(|value| value != "0");
    match (set("NO_COLOR"), is_on("CLICOLOR_FORCE"), is_on("CLICOLOR")) {
        (Some(_), ..) => false,
        (None, Some(true), _) => true,
        (None, _, Some(false)) => false,
        _ => are_wanted(ColorArg::Auto),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red, green and blue of a colour of the table, from 16 on.
    fn rgb(n: u8) -> [u8; 3] {
        let level = |n: u8| [0, 95, 135, 175, 215, 255][usize::from(n % 6)];
        match n {
            ..232 => [level((n - 16) / 36), level((n - 16) / 6), level(n - 16)],
            _ => [8 + 10 * (n - 232); 3],
        }
    }

    /// The relative luminance of WCAG 2, plus 0.05.
    fn luminance(color: [u8; 3]) -> f64 {
        let linear = color.map(|value| match f64::from(value) / 255.0 {
            value if value <= 0.04045 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
    }

    #[test]
    fn colours_can_be_read_on_dark_and_light_terminals() {
        let backgrounds = [
            ("black", [0; 3]),
            ("white", [255; 3]),
            ("Windows Terminal", [0x0c; 3]),
            ("VS Code", [0x1e; 3]),
            ("GNOME", [0x1d; 3]),
            ("Ubuntu", [0x30, 0x0a, 0x24]),
            ("Solarized dark", [0x00, 0x2b, 0x36]),
            ("Solarized light", [0xfd, 0xf6, 0xe3]),
        ];
        for sequence in [PATH, LINE, LINK, WARN, OLD, NEW, HUNK] {
            let number = sequence.split([';', 'm']).nth(2).and_then(|n| n.parse().ok());
            let ours = luminance(rgb(number.expect("a colour of the table")));
            for (name, background) in backgrounds {
                let its = luminance(background);
                let contrast = ours.max(its) / ours.min(its);
                assert!(contrast >= 3.0, "{sequence:?} on {name}: {contrast:.2}");
            }
        }
    }
}
