//! Objects that C holds by a pointer.
//!
//! Invariant: the memory of an object is not given back to the allocator before the program ends.
//! After `free` it waits in a pool for the next object of its type. So its state, a word before the object, can always be
//! read, and a call with an object that was freed returns IRISCAN_ERR_STATE instead of reading memory
//! that is somebody else's. Two limits remain: a pointer that never came from here, and one whose
//! memory has become another object of the same type. For the second, at least [`WAITING`] other
//! objects must have been freed since.

use std::{
    cell::UnsafeCell,
    collections::VecDeque,
    mem::{MaybeUninit, offset_of},
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use crate::status::{Error, IRISCAN_ERR_STATE};

/// How many freed objects of a type wait, in each shard, before the first one is used again.
const WAITING: usize = 16;

/// Pools are divided, so that threads seldom wait for each other.
const SHARDS: usize = 8;

/// In the low bits of the state: what may be done with the object.
const FREE: u32 = 0;
const LIVE: u32 = 1;
/// A call changes the object.
const BUSY: u32 = 2;
/// The object is static.
const STATIC: u32 = 3;

/// A type of object that C holds.
pub(crate) trait Held: Send + Sized + 'static {
    /// Its name in messages.
    const NAME: &'static str;
    /// A number for the type, a multiple of 4 that no other type has.
    const TYPE: u32;
    /// The pool of the type.
    fn pool() -> &'static Pool<Self>;
}

/// An object with its state. C has the address of `value`.
#[repr(C)]
pub(crate) struct Slot<T> {
    /// Directly before the value, because that is where it is looked for.
    home: u32,
    state: AtomicU32,
    value: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: the value is reached through `shared`, as `&T`, and through `exclusive` and `take`, which
// the state gives to one thread at a time.
unsafe impl<T: Send + Sync> Sync for Slot<T> {}

impl<T: Held> Slot<T> {
    /// A slot whose object is static and cannot be freed.
    pub(crate) const fn fixed(value: T) -> Slot<T> {
        Slot {
            home: 0,
            state: AtomicU32::new(T::TYPE | STATIC),
            value: UnsafeCell::new(MaybeUninit::new(value)),
        }
    }

    /// The object, for C.
    pub(crate) const fn as_ptr(&'static self) -> *mut T {
        self.value.get().cast()
    }
}

/// Slots that wait to be used again.
pub(crate) struct Pool<T> {
    shards: [Mutex<VecDeque<Waiting<T>>>; SHARDS],
    /// The program ends: what is freed now waits no longer, and its memory stays where it is.
    closed: AtomicBool,
}

struct Waiting<T>(NonNull<Slot<T>>);

// SAFETY: the slot is free, so nobody has its value.
unsafe impl<T> Send for Waiting<T> {}

impl<T: Held> Pool<T> {
    pub(crate) const fn new() -> Pool<T> {
        Pool {
            shards: [const { Mutex::new(VecDeque::new()) }; SHARDS],
            closed: AtomicBool::new(false),
        }
    }

    /// Gives the memory of all slots that wait back to the allocator, so that a program that looks
    /// for leaks finds nothing of ours. For the end of the program, or of the library in it.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        for home in 0..SHARDS as u32 {
            let mut shard =
                self.shards[home as usize].lock().unwrap_or_else(PoisonError::into_inner);
            for Waiting(slot) in std::mem::take(&mut *shard) {
                // SAFETY: the slot is free, and was made by `Box` in `give`.
                drop(unsafe { Box::from_raw(slot.as_ptr()) });
            }
        }
    }

    /// The shard `home`, or another one if a thread has that one now, so that nobody waits.
    fn shard(&self, home: u32) -> MutexGuard<'_, VecDeque<Waiting<T>>> {
        let shard = |i: u32| &self.shards[(home + i) as usize % SHARDS];
        for i in 0..SHARDS as u32 {
            match shard(i).try_lock() {
                Ok(free) => return free,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        shard(0).lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The shard of this thread: by the address of its stack, which is faster than a variable of the
/// thread. Two threads may have the same one.
fn home() -> u32 {
    let here = 0_u8;
    let megabyte = ((&raw const here).addr() >> 20) as u32;
    // The golden ratio, whose product has the difference of two stacks in its high bits.
    megabyte.wrapping_mul(0x9E37_79B1) >> 29
}

/// Gives an object to C.
pub(crate) fn give<T: Held>(value: T) -> *mut T {
    let home = home();
    let waiting = {
        let mut shard = T::pool().shard(home);
        if shard.len() > WAITING { shard.pop_front() } else { None }
    };
    let slot = match waiting {
        Some(Waiting(slot)) => slot,
        None => NonNull::from(Box::leak(Box::new(Slot {
            home,
            state: AtomicU32::new(T::TYPE | FREE),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }))),
    };
    // SAFETY: no slot outside of the pool is given back to the allocator.
    let slot = unsafe { slot.as_ref() };
    let value_at = slot.value.get().cast::<T>();
    // SAFETY: the slot is free, so nobody else has its value.
    unsafe { value_at.write(value) };
    slot.state.store(T::TYPE | LIVE, Ordering::Release);
    value_at
}

/// The slot of an object.
///
/// # Safety
///
/// `object` is NULL or came from [`give`] or [`Slot::as_ptr`], for any type.
unsafe fn slot<'a, T: Held>(object: *const T) -> Result<&'a Slot<T>, Error> {
    if object.is_null() {
        return Err(Error::null(T::NAME));
    }
    if !object.is_aligned() {
        return Err(foreign::<T>());
    }
    let slot = object.wrapping_byte_sub(offset_of!(Slot<T>, value)).cast::<Slot<T>>();
    // SAFETY: the state is in the word before the object, whatever its type is.
    let state = unsafe { &(*slot).state };
    if state.load(Ordering::Acquire) & !3 != T::TYPE {
        return Err(foreign::<T>());
    }
    // SAFETY: it is a slot of this type, and those stay until the program ends.
    Ok(unsafe { &*slot })
}

#[cold]
fn foreign<T: Held>() -> Error {
    Error::new(IRISCAN_ERR_STATE, format_args!("{} is something else", T::NAME))
}

#[cold]
fn refused<T: Held>(state: u32) -> Error {
    let why = match state & 3 {
        BUSY => "is in use by a call that has not returned",
        _ => "was freed already",
    };
    Error::new(IRISCAN_ERR_STATE, format_args!("{} {why}", T::NAME))
}

/// An object, to read.
///
/// # Safety
///
/// `object` is NULL or came from here, and nobody frees it during `'a`.
pub(crate) unsafe fn shared<'a, T: Held + Sync>(object: *const T) -> Result<&'a T, Error> {
    // SAFETY: the caller's promise.
    let slot = unsafe { slot(object) }?;
    match slot.state.load(Ordering::Acquire) {
        // SAFETY: a live slot has a value, and the caller lets it live.
        state if matches!(state & 3, LIVE | STATIC) => Ok(unsafe { &*object }),
        state => Err(refused::<T>(state)),
    }
}

/// An object, to change.
///
/// # Safety
///
/// `object` is NULL or came from here.
pub(crate) unsafe fn exclusive<'a, T: Held>(object: *mut T) -> Result<Exclusive<'a, T>, Error> {
    // SAFETY: the caller's promise.
    let slot = unsafe { slot(object) }?;
    match enter::<T>(slot, BUSY) {
        // SAFETY: only one call can turn LIVE into BUSY, and until it ends, no other one can have
        // the value.
        Ok(()) => Ok(Exclusive { value: unsafe { &mut *slot.value.get().cast() }, slot }),
        Err(state) => Err(refused::<T>(state)),
    }
}

/// Turns the state of a live object into another. `Err`: the object is not live, but in this state.
fn enter<T: Held>(slot: &Slot<T>, to: u32) -> Result<(), u32> {
    let (live, to) = (T::TYPE | LIVE, T::TYPE | to);
    slot.state.compare_exchange(live, to, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
}

/// An object that only this call has.
pub(crate) struct Exclusive<'a, T: Held> {
    value: &'a mut T,
    slot: &'a Slot<T>,
}

impl<T: Held> Deref for Exclusive<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T: Held> DerefMut for Exclusive<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value
    }
}

impl<T: Held> Drop for Exclusive<'_, T> {
    fn drop(&mut self) {
        self.slot.state.store(T::TYPE | LIVE, Ordering::Release);
    }
}

/// Frees an object. NULL and static objects are ignored.
///
/// # Safety
///
/// `object` is NULL or came from here, and nobody reads it any more.
pub(crate) unsafe fn free<T: Held>(object: *mut T) -> Result<(), Error> {
    if object.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let slot = unsafe { slot(object) }?;
    if slot.state.load(Ordering::Relaxed) & 3 == STATIC {
        return Ok(());
    }
    enter::<T>(slot, FREE).map_err(refused::<T>)?;
    // SAFETY: only one call can turn LIVE into FREE, and the slot is not in the pool yet.
    drop(unsafe { slot.value.get().cast::<T>().read() });
    if !T::pool().closed.load(Ordering::Acquire) {
        T::pool().shard(slot.home).push_back(Waiting(NonNull::from(slot)));
    }
    Ok(())
}

/// Says that `$type` can be held by C.
macro_rules! held {
    ($type:ty, $name:literal, $number:literal) => {
        impl $crate::handle::Held for $type {
            const NAME: &'static str = $name;
            const TYPE: u32 = ($number << 24) | 0x0001_5C00;

            fn pool() -> &'static $crate::handle::Pool<$type> {
                static POOL: $crate::handle::Pool<$type> = $crate::handle::Pool::new();
                &POOL
            }
        }
        /// Runs when the program ends or closes the library.
        #[cfg(all(unix, not(target_vendor = "apple")))]
        const _: () = {
            #[used]
            #[unsafe(link_section = ".fini_array")]
            static CLOSE: extern "C" fn() = close;

            extern "C" fn close() {
                <$type as $crate::handle::Held>::pool().close();
            }
        };
        // The state must be in the word before the value.
        const _: () = assert!(std::mem::align_of::<$type>() <= 8);
    };
}
pub(crate) use held;
