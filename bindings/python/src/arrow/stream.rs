//! The C stream interface of Arrow: a stream of another program is read, and one for other programs
//! is made. `arrow-array` has both for record batches only.

use std::{
    ffi::{CStr, CString, c_char, c_int},
    panic::{AssertUnwindSafe, catch_unwind},
};

use arrow_array::{
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type},
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};

use super::{
    Plan,
    foreign::{self, Failure},
};

/// The array of another program, as `data_type`, without a copy.
#[expect(unsafe_code)]
pub(super) fn imported(array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayData, Failure> {
    foreign::check(&array, data_type)?;
    if *data_type == DataType::Null {
        // arrow-array refuses the buffer that some programs give.
        return Ok(ArrayData::new_null(data_type, array.len()));
    }
    // SAFETY: the other program keeps to the C data interface, as far as `check` cannot see: the
    // buffers of the array have the sizes that its type says. `data_type` has the same layout, and
    // nothing is read as text.
    let array = unsafe { from_ffi_and_data_type(array, data_type.clone()) };
    array.map_err(|e| Failure::Value(format!("the column is broken: {e}")))
}

/// The field that a stream says its arrays are of.
#[expect(unsafe_code)]
pub(super) fn field_of(stream: &mut FFI_ArrowArrayStream) -> Result<Field, Failure> {
    if stream.release().is_none() {
        return Err(Failure::Value("the stream was read already".into()));
    }
    let (Some(get), Some(_)) = (stream.get_schema(), stream.get_next()) else {
        return Err(Failure::Value("the stream is broken: it lacks a function".into()));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: it is the stream's own function, and the stream is not released.
    if unsafe { get(stream, &raw mut schema) } != 0 {
        return Err(Failure::Source(error_of(stream)));
    }
    foreign::field(&schema)
}

/// Reads arrays from a stream, and gives the result for each.
pub(super) struct Reader {
    stream: FFI_ArrowArrayStream,
    plan: Plan,
}

impl Reader {
    /// The arrays of the stream must be of `plan.input`.
    pub(super) fn new(stream: FFI_ArrowArrayStream, plan: Plan) -> Reader {
        Reader { stream, plan }
    }

    #[expect(unsafe_code)]
    fn read(&mut self) -> Option<Result<ArrayData, Failure>> {
        let stream = &mut self.stream;
        let Some(get) = stream.get_next() else {
            return Some(Err(Failure::Value("the stream is broken: it has no get_next".into())));
        };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: it is the stream's own function, and the stream is not released.
        if unsafe { get(stream, &raw mut array) } != 0 {
            return Some(Err(Failure::Source(error_of(stream))));
        }
        if array.is_released() {
            return None;
        }
        Some(imported(array, &self.plan.input))
    }
}

impl Iterator for Reader {
    type Item = Result<ArrayData, Failure>;

    fn next(&mut self) -> Option<Result<ArrayData, Failure>> {
        let array = self.read()?;
        Some(array.and_then(|array| self.plan.run(array).map_err(Failure::Value)))
    }
}

/// What a stream says about its last error.
#[expect(unsafe_code)]
fn error_of(stream: &mut FFI_ArrowArrayStream) -> String {
    // SAFETY: it is the stream's own function, and the call before failed. The text is valid until
    // the next call.
    let text = stream.get_last_error().map(|get| unsafe { get(stream) });
    match text {
        Some(text) if !text.is_null() => {
            // SAFETY: the interface says that it ends with a zero byte.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        }
        _ => "the stream of the column failed".to_owned(),
    }
}

/// The arrays of a stream that we make.
pub(super) type Arrays = Box<dyn Iterator<Item = Result<ArrayData, Failure>> + Send>;

/// What a stream that we make owns.
struct Made {
    field: Field,
    arrays: Arrays,
    error: CString,
}

const INVALID: c_int = 22;

/// A stream for other programs.
#[expect(unsafe_code)]
pub(super) fn exported(field: Field, arrays: Arrays) -> FFI_ArrowArrayStream {
    let made = Box::new(Made { field, arrays, error: CString::default() });
    let data = Box::into_raw(made).cast();
    // SAFETY: the functions take `private_data` for a `Made`; `release` frees it once.
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            data,
        )
    }
}

/// Runs `work`, keeps its error for `get_last_error`, and writes its result to `out`. A panic must
/// not leave the function that another program called.
#[expect(unsafe_code)]
unsafe fn answer<T>(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut T,
    work: impl FnOnce(&mut Made) -> Result<T, String>,
) -> c_int {
    // SAFETY: the caller gives a stream of `exported` that is not released, and no other thread
    // uses it.
    let made = unsafe { &mut *(*stream).private_data().cast::<Made>() };
    let result = catch_unwind(AssertUnwindSafe(|| work(made)));
    match result.unwrap_or_else(|_| Err("iriscan panicked; please report it".to_owned())) {
        Ok(value) => {
            // SAFETY: the caller gives memory for the result, which has nothing to drop.
            unsafe { out.write(value) };
            0
        }
        Err(why) => {
            made.error = CString::new(why.replace('\0', " ")).unwrap_or_default();
            INVALID
        }
    }
}

#[expect(unsafe_code)]
unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    let work = |made: &mut Made| FFI_ArrowSchema::try_from(&made.field).map_err(|e| e.to_string());
    // SAFETY: the caller keeps to the C stream interface.
    unsafe { answer(stream, out, work) }
}

#[expect(unsafe_code)]
unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    let work = |made: &mut Made| match made.arrays.next() {
        // A released array is the end.
        None => Ok(FFI_ArrowArray::empty()),
        Some(Ok(array)) => Ok(FFI_ArrowArray::new(&array)),
        Some(Err(failure)) => Err(failure.into_message()),
    };
    // SAFETY: the caller keeps to the C stream interface.
    unsafe { answer(stream, out, work) }
}

#[expect(unsafe_code)]
unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: as in `answer`.
    unsafe { (*(*stream).private_data().cast::<Made>()).error.as_ptr() }
}

#[expect(unsafe_code)]
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the caller gives a stream of `exported`, and calls this once.
    let made = unsafe { Box::from_raw((*stream).private_data().cast::<Made>()) };
    // SAFETY: a stream without a function to release it is released.
    unsafe { (*stream).set_release(None) };
    let _ = catch_unwind(AssertUnwindSafe(|| drop(made)));
}
