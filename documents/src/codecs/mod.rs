//! The codecs: each is a cargo feature, and a file.
//!
//! In go compressed bytes, or bytes to compress; out come the others. Each codec has the same three items:
//!
//! ```text
//! reader(all)           the bytes inside of a compressed stream
//! Encoder<W>            a writer that compresses, with `get_mut` and `finish`
//! encoder(level, out)   makes one
//! ```
//!
//! What must hold: a codec that was not compiled has them too, and making a reader or an encoder of it is an error that
//! says what is missing. So nothing above needs to know which codecs there are.

#[cfg(not(all(feature = "gzip", feature = "zstd", feature = "bzip2", feature = "xz")))]
mod missing;

#[cfg(feature = "bzip2")]
pub(crate) mod bzip2;
#[cfg(feature = "gzip")]
pub(crate) mod gzip;
#[cfg(feature = "xz")]
pub(crate) mod xz;
#[cfg(feature = "zstd")]
pub(crate) mod zstd;

#[cfg(not(feature = "bzip2"))]
missing::codec!(bzip2);
#[cfg(not(feature = "gzip"))]
missing::codec!(gzip);
#[cfg(not(feature = "xz"))]
missing::codec!(xz);
#[cfg(not(feature = "zstd"))]
missing::codec!(zstd);

/// The error for an input that needs the feature `feature`, which is off. `what` is the input.
#[cfg(not(all(
    feature = "gzip",
    feature = "zstd",
    feature = "bzip2",
    feature = "xz",
    feature = "zip"
)))]
pub(crate) fn without(what: &str, feature: &str, instead: &str) -> std::io::Error {
    std::io::Error::new(
        std::io::ErrorKind::Unsupported,
        format!(
            "{what}, which this program cannot read; {instead} it first, or compile the program with \
             the feature `{feature}` of iriscan-documents"
        ),
    )
}
