//! Questions about the terminal that the program runs in.

use std::{
    env,
    io::{self, IsTerminal},
    sync::LazyLock,
};

/// True if standard output is a terminal, which obeys control characters.
pub(crate) fn is_output() -> bool {
    static ANSWER: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    *ANSWER
}

/// True if the terminal shows nothing but text: `TERM` is `dumb`, or not set on Unix. On
/// Windows the console is asked to obey escape sequences; true if it refuses.
pub(crate) fn is_dumb() -> bool {
    #[cfg(windows)]
    if anstyle_query::windows::enable_ansi_colors() != Some(true) {
        return true;
    }
    env::var_os("TERM").map_or(cfg!(unix), |term| term == "dumb")
}
