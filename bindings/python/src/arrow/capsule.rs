//! The Arrow PyCapsule interface: columns of Python objects, and the objects that results are.

use std::{
    ffi::CStr,
    ptr::NonNull,
    sync::{Mutex, PoisonError},
};

use arrow_array::{
    ffi::{FFI_ArrowArray, FFI_ArrowSchema},
    ffi_stream::FFI_ArrowArrayStream,
};
use arrow_data::ArrayData;
use arrow_schema::Field;
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use super::{
    Plan, Work,
    foreign::{self, Failure},
    stream::{self, Reader},
};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// One array of Apache Arrow, a result of `Finder.find_array` or `Finder.rewrite_array`.
///
/// Every library with the Arrow PyCapsule interface takes it, without a copy: `pyarrow.array(it)`,
/// `polars.Series(it)`, `arro3.core.Array(it)`.
///
/// >>> import pyarrow
/// >>> links = Finder().find_array(pyarrow.array(["see http://a.example/", None]))
/// >>> len(links), pyarrow.array(links)[0][0]["host"].as_py()
/// (2, 'a.example')
#[pyclass(frozen, module = "iriscan", name = "ArrowArray")]
pub(crate) struct ArrowArray {
    field: Field,
    array: ArrayData,
}

#[pymethods]
impl ArrowArray {
    /// Returns the type of the array as a PyCapsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the type of the array and the array, both as PyCapsules. The type is the array's own,
    /// whatever is requested.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.array), ARRAY)?;
        PyTuple::new(py, [schema(py, &self.field)?, array])
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<iriscan.ArrowArray of {} rows: {}>", self.array.len(), self.field.data_type())
    }
}

/// A column of Apache Arrow in chunks, a result of `Finder.find_stream`, and of `find_array` and
/// `rewrite_array` for a column in chunks.
///
/// Every library with the Arrow PyCapsule interface takes it: `pyarrow.chunked_array(it)`,
/// `polars.Series(it)`. The result for record batches is made of record batches too, with one
/// column: `pyarrow.RecordBatchReader.from_stream(it)`, `polars.DataFrame(it)`.
///
/// >>> import pyarrow
/// >>> texts = pyarrow.chunked_array([["http://a.example/"], ["none", None]])
/// >>> pyarrow.chunked_array(Finder().find_array(texts)).num_chunks
/// 2
#[pyclass(frozen, module = "iriscan", name = "ArrowStream")]
pub(crate) struct ArrowStream {
    field: Field,
    chunks: Chunks,
}

enum Chunks {
    /// They can be read many times.
    All(Vec<ArrayData>),
    /// They can be read once; `None` after that.
    Once(Mutex<Option<Reader>>),
}

#[pymethods]
impl ArrowStream {
    /// Returns the type of the chunks as a PyCapsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the stream of the chunks as a PyCapsule. The type is the stream's own, whatever is
    /// requested. The result of `find_stream` can be read once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let arrays: stream::Arrays = match &self.chunks {
            Chunks::All(chunks) => Box::new(chunks.clone().into_iter().map(Ok)),
            Chunks::Once(reader) => {
                let reader = reader.lock().unwrap_or_else(PoisonError::into_inner).take();
                Box::new(reader.ok_or_else(|| {
                    PyValueError::new_err("the stream was read already; call find_stream again")
                })?)
            }
        };
        PyCapsule::new_with_value(py, stream::exported(self.field.clone(), arrays), STREAM)
    }

    fn __repr__(&self) -> String {
        format!("<iriscan.ArrowStream: {}>", self.field.data_type())
    }
}

fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(|e| PyValueError::new_err(e.to_string()));
    PyCapsule::new_with_value(py, schema?, SCHEMA)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Source(why) => PyRuntimeError::new_err(why),
            Failure::Type(why) => PyTypeError::new_err(why),
            Failure::Value(why) => PyValueError::new_err(why),
        }
    }
}

/// What the caller gives: an array and its field, or a stream.
enum Given {
    Array(FFI_ArrowArray, Field),
    Stream(FFI_ArrowArrayStream),
}

impl Given {
    fn of(column: &Bound<'_, PyAny>) -> PyResult<Given> {
        let py = column.py();
        if let Some(export) = column.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
                export.call0()?.extract()?;
            return Ok(Given::Array(array_in(&array)?, field_in(&schema)?));
        }
        Given::stream(column).map(Given::Stream)
    }

    fn stream(column: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArrayStream> {
        match column.getattr_opt(intern!(column.py(), "__arrow_c_stream__"))? {
            Some(export) => stream_in(&export.call0()?),
            None => Err(PyTypeError::new_err(format!(
                "expected a column of Apache Arrow, which has __arrow_c_array__ or \
                 __arrow_c_stream__, not {}; make one with pyarrow.array",
                column.get_type().name()?
            ))),
        }
    }
}

/// The result for a whole column: an array for an array, chunks for chunks.
pub(crate) fn whole<'py>(column: &Bound<'py, PyAny>, work: Work) -> PyResult<Bound<'py, PyAny>> {
    let py = column.py();
    match Given::of(column)? {
        Given::Array(array, field) => {
            let plan = Plan::of(work, &field).map_err(PyTypeError::new_err)?;
            let field = plan.output.clone();
            let array = py.detach(|| {
                let array = stream::imported(array, &plan.input)?;
                plan.run(array).map_err(Failure::Value)
            });
            Ok(Bound::new(py, ArrowArray { field, array: array? })?.into_any())
        }
        Given::Stream(given) => {
            let (reader, field) = reader(py, given, work)?;
            let mut chunks = Vec::new();
            let mut reader = reader;
            while let Some(chunk) = py.detach(|| reader.next()) {
                chunks.push(chunk?);
                py.check_signals()?;
            }
            Ok(Bound::new(py, ArrowStream { field, chunks: Chunks::All(chunks) })?.into_any())
        }
    }
}

/// The result for a stream, which is read when the result is read.
pub(crate) fn lazy(column: &Bound<'_, PyAny>, work: Work) -> PyResult<ArrowStream> {
    let (reader, field) = reader(column.py(), Given::stream(column)?, work)?;
    Ok(ArrowStream { field, chunks: Chunks::Once(Mutex::new(Some(reader))) })
}

/// A reader of `given`, and the field of its results.
fn reader(
    py: Python<'_>,
    mut given: FFI_ArrowArrayStream,
    work: Work,
) -> PyResult<(Reader, Field)> {
    let (given, field) = py.detach(|| {
        let field = stream::field_of(&mut given);
        (given, field)
    });
    let plan = Plan::of(work, &field?).map_err(PyTypeError::new_err)?;
    let field = plan.output.clone();
    Ok((Reader::new(given, plan), field))
}

fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.cast())
}

#[expect(unsafe_code)]
fn field_in(capsule: &Bound<'_, PyAny>) -> PyResult<Field> {
    let schema = pointer::<FFI_ArrowSchema>(capsule, SCHEMA)?;
    // SAFETY: a capsule of this name has a schema, and the capsule is alive.
    let schema = unsafe { schema.as_ref() };
    Ok(foreign::field(schema)?)
}

#[expect(unsafe_code)]
fn array_in(capsule: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArray> {
    let array = pointer::<FFI_ArrowArray>(capsule, ARRAY)?;
    // SAFETY: a capsule of this name has an array. It is moved, so that the capsule frees nothing.
    Ok(unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) })
}

#[expect(unsafe_code)]
fn stream_in(capsule: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArrayStream> {
    let stream = pointer::<FFI_ArrowArrayStream>(capsule, STREAM)?;
    // SAFETY: a capsule of this name has a stream. It is moved, so that the capsule frees nothing.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) })
}
