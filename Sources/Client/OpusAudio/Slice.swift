// Filled by its slice.
