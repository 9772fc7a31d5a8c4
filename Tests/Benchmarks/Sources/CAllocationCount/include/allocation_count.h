#pragma once

/// How often this process has asked for memory.
unsigned long allocation_count(void);
