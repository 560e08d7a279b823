//! Makes a failing input small.

/// The most tries for one input.
const TRIES: usize = 20_000;

/// Removes pieces as long as `fails` holds: first halves, then quarters, at last single ones.
pub(crate) fn minimise<T: Clone>(mut pieces: Vec<T>, fails: impl Fn(&[T]) -> bool) -> Vec<T> {
    let (mut len, mut tries) = (pieces.len().div_ceil(2), 0);
    while len > 0 && !pieces.is_empty() {
        let (mut at, mut removed) = (0, false);
        while at < pieces.len() && tries < TRIES {
            tries += 1;
            let end = (at + len).min(pieces.len());
            let fewer = [&pieces[..at], &pieces[end..]].concat();
            if fails(&fewer) {
                (pieces, removed) = (fewer, true);
            } else {
                at = end;
            }
        }
        // Removing one piece may make it possible to remove an earlier one.
        if !(removed && len == 1) {
            len /= 2;
        }
        if tries >= TRIES {
            break;
        }
    }
    pieces
}
