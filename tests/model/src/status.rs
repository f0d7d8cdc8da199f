//! What work on another thread fails with.

use std::any::Any;

/// A panic, which is a model that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error;

pub type Result<T = ()> = std::result::Result<T, Error>;

impl Error {
    pub fn from_panic(_panic: &(dyn Any + Send)) -> Self {
        Self
    }
}
