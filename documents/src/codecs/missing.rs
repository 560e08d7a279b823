//! The place of a codec whose feature is off.

use std::{
    convert::Infallible,
    io::{self, Write},
};

/// An encoder that does not exist.
pub(crate) struct Missing<W>(Infallible, std::marker::PhantomData<W>);

impl<W> Missing<W> {
    pub(crate) fn get_mut(&mut self) -> &mut W {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self.0 {}
    }
}

impl<W> Write for Missing<W> {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// A codec with this name, whose readers and encoders are errors.
macro_rules! codec {
    ($name:ident) => {
        pub(crate) mod $name {
            use std::io::{self, Read};

            pub(crate) use super::missing::Missing as Encoder;

            fn error() -> io::Error {
                let name = stringify!($name);
                super::without(&format!("compressed with {name}"), name, "decompress")
            }

            pub(crate) fn reader(
                _: impl Read + Send + 'static,
            ) -> io::Result<Box<dyn Read + Send>> {
                Err(error())
            }

            pub(crate) fn encoder<W>(_: u32, _: W) -> io::Result<Encoder<W>> {
                Err(error())
            }
        }
    };
}
pub(crate) use codec;
