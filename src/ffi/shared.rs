//! Handles that are more than a reference: one for several threads at once, and one that may be another
//! argument too.

use std::marker::PhantomData;
use std::ptr::NonNull;

use super::args::{AN_OBJECT, null};
use crate::status::Result;

/// `T *`, an object that any thread may use at any time until one call ends it.
///
/// It differs from `Option<&T>` in the header (no `const`, since its calls have effects) and in that the
/// call that ends the object can take it back. Its interior may change.
#[repr(transparent)]
pub struct Shared<'a, T: Send + Sync> {
    pointer: Option<NonNull<T>>,
    lifetime: PhantomData<&'a T>,
}

impl<'a, T: Send + Sync> Shared<'a, T> {
    /// What C passes for an object that it was given.
    #[cfg(test)]
    pub fn of(object: &'a T) -> Self {
        Self { pointer: Some(NonNull::from(object)), lifetime: PhantomData }
    }

    /// The object, or nothing for NULL.
    pub fn get(self) -> Option<&'a T> {
        // SAFETY: the caller of the exported function promised a live object; access to it is shared.
        self.pointer.map(|pointer| unsafe { pointer.as_ref() })
    }

    /// The object, unless NULL was passed.
    pub fn required(self, name: &str) -> Result<&'a T> {
        self.get().ok_or_else(|| null(name, AN_OBJECT))
    }

    /// Takes the object back.
    ///
    /// # Safety The object came from a `Box`, and nothing else uses it from here on.
    pub unsafe fn reclaim(self) -> Option<Box<T>> {
        // SAFETY: see above.
        self.pointer.map(|pointer| unsafe { Box::from_raw(pointer.as_ptr()) })
    }
}

// SAFETY: it gives shared access to a `T` that is `Sync`, and gives back one that is `Send`.
unsafe impl<T: Send + Sync> Send for Shared<'_, T> {}

impl<T: Send + Sync> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for Shared<'_, T> {}

/// `T *`, an object that nothing else uses during the call, unless another argument is the same one.
#[repr(transparent)]
pub struct Exclusive<'a, T> {
    pointer: Option<NonNull<T>>,
    lifetime: PhantomData<&'a mut T>,
}

impl<'a, T> Exclusive<'a, T> {
    /// Whether it is that object.
    pub fn is(&self, other: &T) -> bool {
        self.pointer == Some(NonNull::from(other))
    }

    /// The object, unless NULL was passed. No other argument may be the same one: see [`is`](Self::is).
    pub fn required(self, name: &str) -> Result<&'a mut T> {
        // SAFETY: the caller of the exported function promised a live object that nothing else uses.
        self.pointer.map(|mut pointer| unsafe { pointer.as_mut() }).ok_or_else(|| null(name, AN_OBJECT))
    }
}
