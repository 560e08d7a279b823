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
use arrow_schema::{DataType, Field, Fields};
use pyo3::{
    IntoPyObjectExt,
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use super::{
    Plan, Work,
    foreign::{self, Failure},
    links, objects,
    stream::{self, Reader},
};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A column of Apache Arrow, in one piece or in chunks: what `find_array`, `find_table` and
/// `rewrite_array` of a Finder return.
///
/// Every library with the Arrow PyCapsule interface takes it, as often as it likes: `pyarrow.array(it)`,
/// `pyarrow.chunked_array(it)`, `polars.Series(it)`, `arro3.core.Array(it)`. Without such a library, it
/// has a length, and its rows are Python objects when it is iterated over.
///
/// >>> import pyarrow
/// >>> links = Finder().find_array(pyarrow.array(["see http://a.example/", None]))
/// >>> len(links), pyarrow.array(links)[0][0]["host"].as_py()
/// (2, 'a.example')
/// >>> [row and row[0]["host"] for row in links]
/// ['a.example', None]
/// >>> texts = pyarrow.chunked_array([["http://a.example/"], ["none", None]])
/// >>> pyarrow.chunked_array(Finder().find_array(texts)).num_chunks
/// 2
#[pyclass(frozen, module = "iriscan", name = "ArrowArray")]
pub(crate) struct ArrowArray {
    field: Field,
    chunks: Vec<ArrayData>,
}

#[pymethods]
impl ArrowArray {
    /// Returns the type of the column as a PyCapsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the type of the column and the column in one piece, both as PyCapsules. The type is the
    /// column's own, whatever is requested.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let array = super::joined(&self.chunks, self.field.data_type())
            .map_err(|e| PyValueError::new_err(format!("{e}; read the column in chunks")))?;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array), ARRAY)?;
        PyTuple::new(py, [schema(py, &self.field)?, array])
    }

    /// Returns the chunks as a stream in a PyCapsule.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let arrays: stream::Arrays = Box::new(self.chunks.clone().into_iter().map(Ok));
        PyCapsule::new_with_value(py, stream::exported(self.field.clone(), arrays), STREAM)
    }

    /// Returns the rows as a list of Python objects: str, bytes, int, list, dict and None.
    ///
    /// >>> import pyarrow
    /// >>> column = pyarrow.array(["http://bücher.example/", None])
    /// >>> Finder().rewrite_array(column).to_pylist()
    /// ['http://xn--bcher-kva.example/', None]
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let chunks = self.chunks.iter().map(|chunk| objects::of(py, chunk));
        Ok(chunks.collect::<PyResult<Vec<_>>>()?.concat())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.to_pylist(py)?.into_bound_py_any(py)?;
        Ok(rows.try_iter()?.into_any())
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(ArrayData::len).sum()
    }

    fn __repr__(&self) -> String {
        format!("<iriscan.ArrowArray of {} rows: {}>", self.__len__(), self.field.data_type())
    }
}

/// A column of Apache Arrow in chunks, which are made while it is read: what `Finder.find_stream` returns.
///
/// Every library with the Arrow PyCapsule interface takes it, once: `pyarrow.chunked_array(it)`,
/// `polars.Series(it)`. The result for record batches is made of record batches too, with one
/// column: `pyarrow.RecordBatchReader.from_stream(it)`, `polars.DataFrame(it)`.
#[pyclass(frozen, module = "iriscan", name = "ArrowStream")]
pub(crate) struct ArrowStream {
    field: Field,
    /// `None` after the chunks were read.
    reader: Mutex<Option<Reader>>,
}

#[pymethods]
impl ArrowStream {
    /// Returns the type of the chunks as a PyCapsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema(py, &self.field)
    }

    /// Returns the stream of the chunks as a PyCapsule, once. The type is the stream's own, whatever is
    /// requested.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reader = reader.ok_or_else(|| {
            PyValueError::new_err("the stream was read already; call find_stream again")
        })?;
        let stream = stream::exported(self.field.clone(), Box::new(reader));
        PyCapsule::new_with_value(py, stream, STREAM)
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

/// The result for a whole column, with its chunks.
pub(crate) fn whole(column: &Bound<'_, PyAny>, work: Work) -> PyResult<ArrowArray> {
    let py = column.py();
    match Given::of(column)? {
        Given::Array(array, field) => {
            let plan = Plan::of(work, &field).map_err(PyTypeError::new_err)?;
            let field = plan.output.clone();
            let array = py.detach(|| {
                let array = stream::imported(array, &plan.input)?;
                plan.run(array).map_err(Failure::Value)
            });
            Ok(ArrowArray { field, chunks: vec![array?] })
        }
        Given::Stream(given) => {
            let (mut reader, field) = reader(py, given, work)?;
            let mut chunks = Vec::new();
            while let Some(chunk) = py.detach(|| reader.next()) {
                chunks.push(chunk?);
                py.check_signals()?;
            }
            Ok(ArrowArray { field, chunks })
        }
    }
}

/// The links of a whole column as a table, with a row for each.
pub(crate) fn table(column: &Bound<'_, PyAny>, work: Work) -> PyResult<ArrowArray> {
    let found = whole(column, work)?;
    // Of a record batch, the links are its one column.
    let links = match found.field.data_type() {
        DataType::Struct(fields) => fields[0].data_type(),
        links => links,
    };
    let fields = links::table_fields(links).unwrap_or_else(Fields::empty);
    let (mut chunks, mut first) = (Vec::new(), 0);
    for chunk in &found.chunks {
        let links = match chunk.data_type() {
            DataType::Struct(_) => &chunk.child_data()[0].slice(chunk.offset(), chunk.len()),
            _ => chunk,
        };
        chunks.extend(links::table(links, first));
        first += chunk.len() as i64;
    }
    Ok(ArrowArray { field: Field::new("", DataType::Struct(fields), false), chunks })
}

/// The result for a stream, which is read when the result is read.
pub(crate) fn lazy(column: &Bound<'_, PyAny>, work: Work) -> PyResult<ArrowStream> {
    let (reader, field) = reader(column.py(), Given::stream(column)?, work)?;
    Ok(ArrowStream { field, reader: Mutex::new(Some(reader)) })
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
