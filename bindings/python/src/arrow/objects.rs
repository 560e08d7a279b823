//! The rows of a result as Python objects.

use arrow_buffer::{ArrowNativeType, BooleanBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString},
};

use super::column::Column;

type Objects<'py> = PyResult<Vec<Bound<'py, PyAny>>>;

/// An object for each row.
pub(super) fn of<'py>(py: Python<'py>, array: &ArrayData) -> Objects<'py> {
    let (start, len) = (array.offset(), array.len());
    let mut rows = match array.data_type() {
        DataType::Null => vec![py.None().into_bound(py); len],
        DataType::Int64 => {
            let numbers = array.buffer::<i64>(0).iter().take(len);
            numbers.map(|number| number.into_bound_py_any(py)).collect::<Objects<'py>>()?
        }
        DataType::Boolean => {
            let bits = BooleanBuffer::new(array.buffers()[0].clone(), start, len);
            bits.iter().map(|bit| bit.into_bound_py_any(py)).collect::<Objects<'py>>()?
        }
        DataType::Struct(fields) => {
            let columns = array.child_data().iter().map(|column| of(py, &column.slice(start, len)));
            let columns = columns.collect::<PyResult<Vec<_>>>()?;
            let row = |i: usize| {
                let row = PyDict::new(py);
                for (field, column) in fields.iter().zip(&columns) {
                    row.set_item(field.name(), &column[i])?;
                }
                Ok(row.into_any())
            };
            (0..len).map(row).collect::<Objects<'py>>()?
        }
        DataType::List(_) => lists::<i32>(py, array)?,
        DataType::LargeList(_) => lists::<i64>(py, array)?,
        _ => texts(py, array)?,
    };
    for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| array.is_null(*i)) {
        *row = py.None().into_bound(py);
    }
    Ok(rows)
}

fn lists<'py, O: ArrowNativeType>(py: Python<'py>, array: &ArrayData) -> Objects<'py> {
    let items = of(py, &array.child_data()[0])?;
    let ends = array.buffer::<O>(0).windows(2).take(array.len());
    let list = |ends: &[O]| {
        let items = items.get(ends[0].as_usize()..ends[1].as_usize()).unwrap_or_default();
        Ok(PyList::new(py, items)?.into_any())
    };
    ends.map(list).collect()
}

/// Strings, or bytes.
fn texts<'py>(py: Python<'py>, array: &ArrayData) -> Objects<'py> {
    let text = array.data_type();
    let column = Column::of(array.clone(), text).map_err(PyValueError::new_err)?;
    let rows = column.rows();
    let row = |i: usize| {
        if array.is_null(i) {
            return Ok(py.None().into_bound(py));
        }
        let bytes = rows.get(i).map_err(PyValueError::new_err)?;
        Ok(match column.is_utf8() {
            true => PyString::new(py, &String::from_utf8_lossy(bytes)).into_any(),
            false => PyBytes::new(py, bytes).into_any(),
        })
    };
    (0..array.len()).map(row).collect()
}
