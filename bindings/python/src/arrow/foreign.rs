//! What another program says of its columns, checked before `arrow-array` reads it.
//!
//! `arrow-array` trusts the structures of the C data interface, and panics if they are malformed. Here
//! every pointer is compared with null and every number with its limits first. What cannot be
//! checked is trusted: that a pointer that is not null points to what the interface says, and that a
//! buffer has the size that the length of its array says.

use std::ffi::{CStr, c_char, c_void};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_schema::{DataType, Field};

/// Why a result is missing.
pub(super) enum Failure {
    /// The program that gives the stream reports this.
    Source(String),
    /// The column is of a type that has no text.
    Type(String),
    /// The column cannot be read, or the result is too large.
    Value(String),
}

impl Failure {
    pub(super) fn into_message(self) -> String {
        match self {
            Failure::Source(why) | Failure::Type(why) | Failure::Value(why) => why,
        }
    }
}

/// The failure of a malformed structure.
fn broken<T>(why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Value(why.into()))
}

/// `struct ArrowSchema` of the interface, with the fields that `FFI_ArrowSchema` keeps private.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<Schema>() == size_of::<FFI_ArrowSchema>());

/// The field that a schema is of: a column of text, or a struct of one such column. Everything else
/// is an error. Metadata are not read, because their lengths cannot be checked.
pub(super) fn field(schema: &FFI_ArrowSchema) -> Result<Field, Failure> {
    // SAFETY: both are `struct ArrowSchema`.
    #[expect(unsafe_code)]
    let schema = unsafe { &*std::ptr::from_ref(schema).cast::<Schema>() };
    if schema.release.is_none() {
        return broken("the type of the column was given away already");
    }
    let format = text("format", schema.format)?;
    let data_type = match format {
        "+s" => match schema.only_child()? {
            Some(child) => DataType::Struct(vec![child].into()),
            None => return Err(Failure::Type(one_column(schema.n_children))),
        },
        _ => schema.leaf(format)?,
    };
    Ok(Field::new(schema.field_name()?, data_type, true))
}

/// Says that a record batch must have one column.
pub(super) fn one_column(columns: impl std::fmt::Display) -> String {
    format!("expected one column, not {columns}; select the column of text")
}

/// Says which types have text. `what` is the type that was given.
pub(super) fn no_text(what: &str) -> String {
    format!(
        "expected a column of string, large_string, string_view, binary, large_binary or \
         binary_view, or a dictionary of one of these, not {what}"
    )
}

impl Schema {
    /// The field of the child; `None` if there is not just one.
    fn only_child(&self) -> Result<Option<Field>, Failure> {
        if self.n_children < 0 {
            return broken("the type of the column is broken: its number of children is negative");
        }
        if self.n_children != 1 {
            return Ok(None);
        }
        let Some(child) = only(self.children) else {
            return broken("the type of the column is broken: its child is missing");
        };
        if child.release.is_none() {
            return broken("the type of the column was given away already");
        }
        let data_type = child.leaf(text("format", child.format)?)?;
        Ok(Some(Field::new(child.field_name()?, data_type, true)))
    }

    /// The type of a column of text: with a dictionary, that of the keys and of the texts.
    #[expect(unsafe_code)]
    fn leaf(&self, format: &str) -> Result<DataType, Failure> {
        if !self.dictionary.is_null() {
            // SAFETY: the interface says that it points to a schema that lives as long as this one.
            let texts = unsafe { &*self.dictionary };
            if texts.release.is_none() {
                return broken("the type of the column was given away already");
            }
            let key = match format {
                "c" => DataType::Int8,
                "C" => DataType::UInt8,
                "s" => DataType::Int16,
                "S" => DataType::UInt16,
                "i" => DataType::Int32,
                "I" => DataType::UInt32,
                "l" => DataType::Int64,
                "L" => DataType::UInt64,
                _ => return broken("the type of the column is broken: its keys are no integers"),
            };
            let text = texts.leaf(text("format", texts.format)?)?;
            if matches!(text, DataType::Dictionary(..)) {
                return Err(Failure::Type(no_text("a dictionary of a dictionary")));
            }
            return Ok(DataType::Dictionary(Box::new(key), Box::new(text)));
        }
        Ok(match format {
            "n" => DataType::Null,
            "u" => DataType::Utf8,
            "U" => DataType::LargeUtf8,
            "vu" => DataType::Utf8View,
            "z" => DataType::Binary,
            "Z" => DataType::LargeBinary,
            "vz" => DataType::BinaryView,
            _ => return Err(Failure::Type(no_text(&type_name(format)))),
        })
    }

    fn field_name(&self) -> Result<&str, Failure> {
        if self.name.is_null() { Ok("") } else { text("name", self.name) }
    }
}

/// The text of a field of a schema that is alive.
#[expect(unsafe_code)]
fn text<'a>(field: &str, at: *const c_char) -> Result<&'a str, Failure> {
    if at.is_null() {
        return broken(format!("the type of the column is broken: it has no {field}"));
    }
    // SAFETY: the interface says that it ends with a zero byte and lives as long as the schema.
    let bytes = unsafe { CStr::from_ptr(at) };
    match bytes.to_str() {
        Ok(text) => Ok(text),
        Err(_) => broken(format!("the type of the column is broken: its {field} is not UTF-8")),
    }
}

/// The child of a structure that has one; `None` if it is missing.
#[expect(unsafe_code)]
fn only<'a, T>(children: *mut *mut T) -> Option<&'a T> {
    if children.is_null() {
        return None;
    }
    // SAFETY: the interface says that `children` points to one pointer, and that to a child or, in a
    // malformed structure, nowhere.
    unsafe { children.read_unaligned().as_ref() }
}

/// How a message names the type of a format.
fn type_name(format: &str) -> String {
    if format.starts_with('+') {
        return format!("nested columns (format {format:?})");
    }
    let known = FFI_ArrowSchema::try_new(format, Vec::new(), None)
        .and_then(|schema| DataType::try_from(&schema));
    known.map_or_else(|_| format!("the format {format:?}"), |known| known.to_string())
}

/// `struct ArrowArray` of the interface, with the fields that `FFI_ArrowArray` keeps private.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

const _: () = assert!(size_of::<Array>() == size_of::<FFI_ArrowArray>());

/// Fails if `array` cannot be one of `data_type`: null, binary, large binary or binary view, a dictionary of
/// these, or a struct of one of all these.
pub(super) fn check(array: &FFI_ArrowArray, data_type: &DataType) -> Result<(), Failure> {
    // SAFETY: both are `struct ArrowArray`.
    #[expect(unsafe_code)]
    let array = unsafe { &*std::ptr::from_ref(array).cast::<Array>() };
    array.check(data_type)
}

impl Array {
    fn check(&self, data_type: &DataType) -> Result<(), Failure> {
        if self.release.is_none() {
            return broken("the column was given away already");
        }
        let broken = |why: &str| broken(format!("the column is broken: {why}"));
        if self.length < 0 || self.offset < 0 {
            return broken("its length is negative");
        }
        if self.null_count > self.length {
            return broken("it has more nulls than rows");
        }
        // The largest element is a view, of 16 bytes.
        let rows = self.length.checked_add(self.offset).filter(|rows| *rows < i64::MAX / 16);
        let Some(rows) = rows.and_then(|rows| usize::try_from(rows).ok()) else {
            return broken("its length is too large");
        };
        let is_dictionary = matches!(data_type, DataType::Dictionary(..));
        if !self.dictionary.is_null() && !is_dictionary {
            return broken("it has a dictionary, which its type lacks");
        }
        if self.n_buffers != 0 && self.buffers.is_null() {
            return broken("its buffers are missing");
        }
        match data_type {
            // The interface says 0; some give a buffer for the nulls all the same.
            DataType::Null if (0..=1).contains(&self.n_buffers) => Ok(()),
            DataType::Dictionary(..) if self.n_buffers == 2 && self.dictionary.is_null() => {
                broken("its dictionary is missing")
            }
            DataType::Dictionary(..)
                if self.n_buffers == 2 && rows > 0 && self.buffer(1).is_null() =>
            {
                broken("its keys are missing")
            }
            DataType::Dictionary(_, text) if self.n_buffers == 2 => {
                // SAFETY: it is not null, and the interface says that it points to an array.
                #[expect(unsafe_code)]
                unsafe { &*self.dictionary }.check(text)
            }
            DataType::Null | DataType::Dictionary(..) => broken("its number of buffers is wrong"),
            DataType::Struct(fields) => self.check_children(fields),
            DataType::BinaryView => self.check_views(),
            _ if self.n_buffers != 3 => broken("its number of buffers is wrong"),
            // An empty array without an offset need not have offsets.
            _ if rows == 0 => Ok(()),
            DataType::LargeBinary => self.check_end::<i64>(rows),
            _ => self.check_end::<i32>(rows),
        }
    }

    fn check_children(&self, fields: &arrow_schema::Fields) -> Result<(), Failure> {
        if !(0..=1).contains(&self.n_buffers) {
            return broken("the column is broken: its number of buffers is wrong");
        }
        let ([field], 1) = (&**fields, self.n_children) else {
            return broken("a record batch lacks its column");
        };
        let Some(child) = only(self.children) else {
            return broken("a record batch lacks its column");
        };
        child.check(field.data_type())
    }

    /// The views are after the nulls. The last buffer has the lengths of those between.
    fn check_views(&self) -> Result<(), Failure> {
        let texts = usize::try_from(self.n_buffers).ok().and_then(|n| n.checked_sub(3));
        let Some(texts) = texts else {
            return broken("the column is broken: its number of buffers is wrong");
        };
        if texts == 0 {
            return Ok(());
        }
        let lengths = self.buffer(2 + texts).cast::<i64>();
        if lengths.is_null() || !lengths.is_aligned() {
            return broken("the column is broken: the lengths of its buffers are missing");
        }
        // SAFETY: the interface says that the last buffer has a length for each buffer of text.
        #[expect(unsafe_code)]
        let lengths = unsafe { std::slice::from_raw_parts(lengths, texts) };
        if lengths.iter().any(|length| *length < 0) {
            return broken("the column is broken: the length of a buffer is negative");
        }
        Ok(())
    }

    /// The last offset is the size of the text.
    fn check_end<O: Copy + Into<i64>>(&self, rows: usize) -> Result<(), Failure> {
        let offsets = self.buffer(1).cast::<O>();
        if offsets.is_null() {
            return broken("the column is broken: its offsets are missing");
        }
        // SAFETY: the interface says that there is one offset more than rows.
        #[expect(unsafe_code)]
        let end: i64 = unsafe { offsets.add(rows).read_unaligned() }.into();
        if end < 0 {
            return broken("the column is broken: an offset is negative");
        }
        Ok(())
    }

    /// Buffer `i`, which is below `n_buffers`.
    fn buffer(&self, i: usize) -> *const c_void {
        // SAFETY: `buffers` is not null, and the interface says that it has `n_buffers` pointers.
        #[expect(unsafe_code)]
        unsafe {
            self.buffers.add(i).read_unaligned()
        }
    }
}
