//! A query is added to the module by the file that defines it.

/// Adds functions to a module.
macro_rules! add {
    ($module:ident: $($function:ident),*) => {{
        $($module.add_function(pyo3::wrap_pyfunction!($function, $module)?)?;)*
        Ok(())
    }};
}
