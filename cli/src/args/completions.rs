//! The options of `iriscan completions`, and its help.

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "Examples:\n  \
     iriscan completions bash > ~/.local/share/bash-completion/completions/iriscan\n  \
     iriscan completions zsh > ~/.zfunc/_iriscan          a folder of $fpath\n  \
     iriscan completions fish > ~/.config/fish/completions/iriscan.fish\n  \
     iriscan completions powershell >> $PROFILE\n\n";

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: ShellArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShellArg {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    Pwsh,
}
