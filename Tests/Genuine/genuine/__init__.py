"""Measures LiveKit's own native client over links in user space, and holds the simulator's models against it."""
