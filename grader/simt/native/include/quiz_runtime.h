// The runtime's functions: memory that the emulator shares, launches that are sent to it.
//
// Messages are of 64-bit numbers and bytes; grader/simt/native/messages.py reads them.
#pragma once

#include "quiz_system.h"

namespace quiz {

// Memory

enum Space { device_space = 0, managed_space = 1, pinned_space = 2 };

struct Block {
    uint64_t start;  // what a pointer to its first byte is
    char *host;      // where this process has it, for itself
    size_t size;
    Space space;
    bool live;
    uint64_t offset;  // in the shared file
};

const int bits = 40;
const uint64_t half = 1ull << (bits - 1);
const uint64_t base = 1ull << 62;
// Lower ones are a launch's own. A pointer with this one is hardly ever another number's bits.
const uint64_t first_number = 0x180a37;
const uint64_t first_slot = 16, slots = 128;  // of 2^40 bytes, in what a process can address
const uint64_t page = 65536;
const size_t most_memory = 80ull << 30;
const size_t most_shared = 227 << 10;  // of a block that opts in

struct Span {  // memory that an operation touches, closed until the host has waited for it
    char *first, *last;
    uint64_t operation;
    bool writes;  // else it reads there, and so may the host
};
const size_t most_spans = 256;
const int most_steps = 4096;  // accesses of the host that a page is opened for, one by one

struct State {
    int requests = -1, replies = -1, memory = -1;
    int lifeline = -1;  // ends with the process that started all this; see grader/lifeline.py
    uint64_t file_end = 0;
    size_t used = 0;
    Block *blocks = nullptr;  // by number
    size_t count = 0, room = 0;
    Block slot[slots] = {};  // by the upper bits of their address
    cudaError_t last = cudaSuccess;
    cudaError_t sticky = cudaSuccess;
    cudaError_t pending = cudaSuccess;  // of a launch that failed; sticky once the host waits
    pthread_mutex_t lock;
    Span spans[most_spans];
    size_t span_count = 0;
    int steps = 0;
    uint64_t operations = 0;           // launches, copies, and sets that were told
    uint64_t streams = 0, events = 0;  // that were made
    bool tells_order = false;  // there is a stream or an event, or the host may touch what is under way
    uint64_t told = 0;                 // the stream of what was done last
    int calls = 0;  // of algorithms on the CPU whose functors are of the device
};

inline State *make_state() {
    static State made;
    const char *text = getenv("QUIZ_PROGRAM");
    if (text == nullptr ||
        sscanf(text, "%d %d %d %d", &made.requests, &made.replies, &made.memory,
               &made.lifeline) != 4) {
        fprintf(stderr, "run this program with: quiz profile\n");
        _exit(1);
    }
    unsetenv("QUIZ_PROGRAM");
    for (int each : {made.requests, made.replies, made.memory, made.lifeline})
        fcntl(each, F_SETFD, FD_CLOEXEC);
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made.lock, &recursive);
    return &made;
}
inline State &state() {
    static State *made = make_state();
    return *made;
}

struct Locked {
    Locked() { pthread_mutex_lock(&state().lock); }
    ~Locked() { pthread_mutex_unlock(&state().lock); }
};

inline cudaError_t note(cudaError_t error) {
    State &own = state();
    if (own.sticky != cudaSuccess) error = own.sticky;
    if (error != cudaSuccess) own.last = error;
    return error;
}

// Messages

struct Message {
    char *bytes = nullptr;
    size_t size = 0, room = 0;
    ~Message() { free(bytes); }
    void add(const void *from, size_t n) {
        if (size + n > room) {
            room = 2 * (size + n) + 256;
            bytes = (char *)realloc(bytes, room);
        }
        memcpy(bytes + size, from, n);
        size += n;
    }
    void number(uint64_t value) { add(&value, 8); }
    void data(const void *from, size_t n) {
        number(n);
        add(from, n);
    }
    void text(const char *from) { data(from, strlen(from)); }
    void send() {
        State &own = state();
        uint64_t length = size;
        write_all(own.requests, &length, 8);
        write_all(own.requests, bytes, size);
    }
    static void write_all(int to, const void *from, size_t n) {
        const char *at = (const char *)from;
        while (n) {
            ssize_t done = write(to, at, n);
            if (done < 0 && errno == EINTR) continue;
            if (done <= 0) _exit(1);  // the emulator has ended
            at += done;
            n -= (size_t)done;
        }
    }
};

enum Kind { a_launch = 1, an_allocation = 2, a_release = 3, a_symbol = 4, a_crash = 5, a_time = 6,
            a_copy = 7, a_failure = 8, a_look = 9, a_touch = 10, a_question = 11, a_library = 12, a_texture = 13,
            a_texture_end = 14, an_order = 15, an_operation = 16, a_wait = 17,
            a_reason = 18 };

inline int64_t receive() {
    int64_t value = 0;
    char *at = (char *)&value;
    size_t left = 8;
    while (left) {
        ssize_t done = read(state().replies, at, left);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) _exit(1);  // the emulator has refused a launch, and says why
        at += done;
        left -= (size_t)done;
    }
    return value;
}

// Allocations

inline void announce(const Block &block) {
    Message message;
    message.number(an_allocation);
    message.number(block.start);
    message.number(block.offset);
    message.number(block.size);
    message.number(block.space);
    message.send();
}

inline char *map(void *at, size_t size, uint64_t &offset) {
    State &own = state();
    size_t whole = (size + page - 1) / page * page;
    offset = own.file_end;
    if (ftruncate(own.memory, (off_t)(offset + whole)) != 0) return nullptr;
    void *got = mmap(at, whole, PROT_READ | PROT_WRITE, MAP_SHARED, own.memory, (off_t)offset);
    if (got == MAP_FAILED) return nullptr;
    if (at != nullptr && got != at) {
        munmap(got, whole);
        return nullptr;
    }
    own.file_end += whole;
    return (char *)got;
}

inline Block *make_device_block(size_t size, Space space = device_space) {
    State &own = state();
    uint64_t offset;
    char *host = map(nullptr, size, offset);
    if (host == nullptr) return nullptr;
    if (own.count == own.room) {
        own.room = 2 * own.room + 64;
        own.blocks = (Block *)realloc((void *)own.blocks, own.room * sizeof(Block));
    }
    uint64_t start = base + ((first_number + own.count) << bits);
    own.blocks[own.count] = Block{start, host, size, space, true, offset};
    announce(own.blocks[own.count]);
    return &own.blocks[own.count++];
}

inline Block *make_host_block(size_t size, Space space) {
    State &own = state();
    for (uint64_t number = first_slot; number < slots; ++number) {
        Block &block = own.slot[number];
        if (block.live) continue;
        uint64_t offset;
        char *host = map((void *)(number << bits), size, offset);
        if (host == nullptr) continue;
        size_t whole = (size + page - 1) / page * page;
        void *own_view = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, own.memory, (off_t)offset);
        block = Block{number << bits, own_view == MAP_FAILED ? host : (char *)own_view, size, space, true, offset};
        announce(block);
        return &block;
    }
    return nullptr;
}

inline Block *find(const void *pointer) {
    State &own = state();
    uint64_t address = (uint64_t)pointer;
    if (address >= base - half) {
        uint64_t number = (address - base + half) >> bits;
        if (number < first_number || number - first_number >= own.count) return nullptr;
        return &own.blocks[number - first_number];
    }
    uint64_t number = (address + half) >> bits;
    if (number >= slots || !own.slot[number].live) return nullptr;
    Block &block = own.slot[number];
    return address >= block.start && address < block.start + block.size ? &block : nullptr;
}

inline bool is_device(const void *pointer) { return (uint64_t)pointer >= base - half; }

// Return where this process has some bytes; null if they are in no allocation of the device.
inline char *reach(const void *pointer, size_t n) {
    Block *block = find(pointer);
    if (block == nullptr || !block->live) return is_device(pointer) ? nullptr : (char *)pointer;
    uint64_t offset = (uint64_t)pointer - block->start;
    return offset > block->size || n > block->size - offset ? nullptr : block->host + offset;
}

// Memory of the host that an operation in flight touches is closed to the host until it waits. This
// process copies and sets through another mapping (`Block::host`), which stays open.

inline void protect(const Span &span, int access) {
    mprotect(span.first, (size_t)(span.last - span.first), access);
}
inline uint64_t page_size() { return (uint64_t)sysconf(_SC_PAGESIZE); }
inline Span page_of(char *address) {
    uint64_t whole = page_size();
    char *first = (char *)((uint64_t)address / whole * whole);
    return {first, first + whole, 0, false};
}
// Leave pages as the spans that hold them ask.
inline void protect_again(const Span &pages) {
    State &own = state();
    protect(pages, PROT_READ | PROT_WRITE);
    for (bool writes : {false, true})
        for (size_t at = 0; at < own.span_count; ++at) {
            const Span &each = own.spans[at];
            if (each.writes == writes && each.first < pages.last && each.last > pages.first)
                protect(each, writes ? PROT_NONE : PROT_READ);
        }
}
// Close bytes that an operation touches: the pages that hold nothing else of their allocation. If
// there are none, those that it shares; system calls fail there, though the host may use the rest.
inline void close_span(uint64_t first, uint64_t last, bool writes) {
    State &own = state();
    const Block *block = find((void *)first);
    if (own.span_count == most_spans || is_device((void *)first) || block == nullptr) return;
    uint64_t whole = page_size(), up = whole - 1;
    uint64_t begin = (first + up) / whole * whole, end = last / whole * whole;
    if (last >= block->start + block->size) end = (last + up) / whole * whole;
    if (begin >= end) begin = first / whole * whole, end = (last + up) / whole * whole;
    own.tells_order = true;
    own.spans[own.span_count++] = {(char *)begin, (char *)end, own.operations, writes};
    protect_again(own.spans[own.span_count - 1]);
}
template <class F> void open_spans(F is_over) {
    State &own = state();
    for (size_t at = own.span_count; at-- > 0;) {
        if (!is_over(own.spans[at])) continue;
        Span span = own.spans[at];
        own.spans[at] = own.spans[--own.span_count];
        protect_again(span);
    }
}
inline void open_all() {
    open_spans([](const Span &) { return true; });
}
// Open a page that the host touches where it may, and keep the rest of its spans closed.
inline void open_page(char *address) {
    State &own = state();
    Span page = page_of(address);
    char *next = page.last;
    for (size_t at = own.span_count; at-- > 0;) {
        Span &span = own.spans[at];
        if (address < span.first || address >= span.last) continue;
        if (span.last > next && own.span_count < most_spans)
            own.spans[own.span_count++] = {next, span.last, span.operation, span.writes};
        else if (span.last > page.last)
            page.last = span.last;
        span.last = page.first;
        if (span.first == span.last) span = own.spans[--own.span_count];
    }
    protect_again(page);
}

// The order of what is done, of which grader/simt/native/ordering.py reads how streams wait

enum Order { stream_begins = 0, event_recorded = 1, stream_waits = 2, host_waits_stream = 3,
             host_waits_event = 4, host_waits_all = 5, branch_begins = 6 };

inline void tell_order(Order what, uint64_t first = 0, uint64_t second = 0) {
    if (!state().tells_order) return;
    Locked locked;
    Message message;
    message.number(an_order);
    message.number(what);
    message.number(first);
    message.number(second);
    message.send();
}
// The stream of what a thread does now, how deep in work that has parts, nodes of a graph, and the
// frames that have made the node
struct Turn {
    uint64_t stream;
    int depth;
    const Message *frames;
};
inline Turn &turn() {
    static thread_local Turn own = {0, 0, nullptr};
    return own;
}
// Tell the stream of what is done now, if it is another one.
inline void tell_stream() {
    if (turn().stream != state().told) tell_order(stream_begins, turn().stream);
    state().told = turn().stream;
}

// What has failed is known once the host waits.
inline void learn_failures() {
    State &own = state();
    if (own.pending != cudaSuccess) own.sticky = own.last = own.pending;
    own.pending = cudaSuccess;
}
// The host waits: what is over is open from here on.
inline void wait_for(Order what, uint64_t of = 0) {
    Locked locked;
    State &own = state();
    learn_failures();
    tell_order(what, of);
    if (!own.span_count) return;
    Message message;
    message.number(a_wait);
    message.send();
    for (int64_t left = receive(); left > 0; --left) {
        uint64_t over = (uint64_t)receive();
        open_spans([over](const Span &span) { return span.operation == over; });
    }
}

// The offsets of the code in the program that is executed, innermost first, behind some frames; all
// of those that are not exact have called.
__attribute__((always_inline)) inline void add_frames(Message &message, int first, int exact = 0) {
    void *frames[24];
    Dl_info own = {}, other = {};
    dladdr((void *)&tell_order, &own);
    int count = QUIZ_FRAMES(frames, 24);
    size_t begin = message.size;
    uint64_t found = 0;
    message.number(found);
    for (int at = first; at < count; ++at) {
        if (!dladdr(frames[at], &other) || other.dli_fbase != own.dli_fbase) continue;
        // A frame that calls is one byte before where it goes on.
        message.number((uint64_t)((char *)frames[at] - (char *)own.dli_fbase - (at > exact)));
        ++found;
    }
    memcpy(message.bytes + begin, &found, sizeof found);
}
inline void tell_time(uint64_t event) {
    Locked locked;
    Message message;
    message.number(a_time);
    message.number(event);
    add_frames(message, 1);
    message.send();
}
inline void add_rows(Message &message, const void *at, size_t pitch, size_t width, size_t height) {
    for (uint64_t each : {(uint64_t)at, (uint64_t)pitch, (uint64_t)width, (uint64_t)height})
        message.number(each);
}
inline bool is_of_host(const void *pointer) {
    const Block *block = find(pointer);
    return block != nullptr && block->space != device_space;
}
enum Operation { a_copying = 0, a_setting = 1, an_allocating = 2, a_freeing = 3 };
// Tell what an operation in a stream reads, if anything, and writes. What the host can touch of it is
// closed, unless the host waits for it in any case.
inline void tell_operation(Operation what, const void *to, size_t to_pitch, const void *from,
                           size_t from_pitch, size_t width, size_t height, bool waits) {
    State &own = state();
    own.tells_order |= !waits && (is_of_host(to) || is_of_host(from));
    if (!own.tells_order) return;
    tell_stream();
    Message message;
    message.number(an_operation);
    message.number(what);
    add_rows(message, to, to_pitch, width, height);
    add_rows(message, from, from_pitch, width, height);
    if (turn().frames != nullptr)
        message.add(turn().frames->bytes, turn().frames->size);
    else
        add_frames(message, 1);
    message.send();
    ++own.operations;
    if (waits) return;
    close_span((uint64_t)to, (uint64_t)to + to_pitch * (height - 1) + width, true);
    close_span((uint64_t)from, (uint64_t)from + from_pitch * (height - 1) + width, false);
}

// Say that rows of device memory were written, by a copy from some memory, or set.
inline void announce_copy(const void *to, size_t to_pitch, const void *from, size_t from_pitch,
                          size_t width, size_t height) {
    Block *target = find(to), *source = from == nullptr ? nullptr : find(from);
    if (target == nullptr || target->space != device_space) return;
    if (source != nullptr && source->space != device_space) source = nullptr;
    Message message;
    message.number(a_copy);
    message.number(target->start);
    message.number((uint64_t)to - target->start);
    message.number(to_pitch);
    message.number(source ? source->start : 0);
    message.number(source ? (uint64_t)from - source->start : 0);
    message.number(from_pitch);
    message.number(width);
    message.number(height);
    message.send();
}

// Why a call fails, which its error does not say; see grader/simt/native/failures.py

enum Reason { target_of_host = 0, source_of_host = 1, no_allocation = 2, freed = 3,
              beyond_allocation = 4, inside_allocation = 5, freed_otherwise = 6, beyond_shared = 7 };

inline cudaError_t fail(cudaError_t error, Reason why, const void *pointer, uint64_t asked = 0,
                        uint64_t left = 0) {
    Message message;
    message.number(a_reason);
    message.number(why);
    for (uint64_t each : {(uint64_t)pointer, asked, left}) message.number(each);
    add_frames(message, 1);
    message.send();
    return note(error);
}
// Fail since some bytes are in no allocation.
inline cudaError_t fail_to_reach(const void *pointer, size_t n) {
    const Block *block = find(pointer);
    if (block == nullptr) return fail(cudaErrorInvalidValue, no_allocation, pointer);
    if (!block->live) return fail(cudaErrorInvalidValue, freed, pointer);
    uint64_t offset = (uint64_t)pointer - block->start;
    uint64_t left = offset > block->size ? 0 : block->size - offset;
    return fail(cudaErrorInvalidValue, beyond_allocation, pointer, n, left);
}

inline cudaError_t allocate(void **pointer, size_t size, Space space) {
    Locked locked;
    State &own = state();
    if (pointer == nullptr) return note(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (own.sticky != cudaSuccess) return note(own.sticky);
    if (size == 0) return cudaSuccess;
    if (size > most_memory - own.used) return note(cudaErrorMemoryAllocation);
    Block *block = space == device_space ? make_device_block(size) : make_host_block(size, space);
    if (block == nullptr && space == pinned_space) {
        *pointer = malloc(size);
        return cudaSuccess;
    }
    if (block == nullptr) return note(cudaErrorMemoryAllocation);
    own.used += size;
    *pointer = (void *)block->start;
    return cudaSuccess;
}

inline cudaError_t release(void *pointer, bool pinned, bool waits = true) {
    Locked locked;
    if (waits) wait_for(host_waits_all);
    if (pointer == nullptr) return note(cudaSuccess);
    Block *block = find(pointer);
    if (block == nullptr && pinned) {
        free(pointer);
        return cudaSuccess;
    }
    if (block == nullptr || !block->live)
        return fail(cudaErrorInvalidValue, block == nullptr ? no_allocation : freed, pointer);
    if ((uint64_t)pointer != block->start) return fail(cudaErrorInvalidValue, inside_allocation, pointer);
    if ((block->space == pinned_space) != pinned)
        return fail(cudaErrorInvalidValue, freed_otherwise, pointer);
    if (!waits) tell_operation(a_freeing, pointer, block->size, nullptr, 0, block->size, 1, true);
    Message message;
    message.number(a_release);
    message.number(block->start);
    add_frames(message, 1);
    message.send();
    munmap(block->host, block->size);
    if (block->space != device_space) munmap((void *)block->start, block->size);
#ifdef FALLOC_FL_PUNCH_HOLE
    fallocate(state().memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)block->offset,
              (off_t)((block->size + page - 1) / page * page));
#endif
    block->live = false;
    state().used -= block->size;
    return note(cudaSuccess);
}

// Memory of the host's own that kernels may use: its pages become those of an allocation

struct Registered {
    char *first, *last;
    uint64_t start;  // of the allocation
};
const size_t most_registered = 1024;
inline Registered *registered() {
    static Registered all[most_registered];
    return all;
}
inline Registered *find_registered(const void *pointer) {
    for (size_t at = 0; at < most_registered; ++at) {
        Registered &each = registered()[at];
        if (pointer >= each.first && pointer < each.last) return &each;
    }
    return nullptr;
}
// What a kernel gets for a pointer.
inline uint64_t as_on_device(const void *pointer) {
    const Registered *found = find_registered(pointer);
    return found == nullptr ? (uint64_t)pointer : found->start + (uint64_t)((const char *)pointer - found->first);
}
inline cudaError_t register_host(void *pointer, size_t size) {
    Locked locked;
    State &own = state();
    if (find_registered(pointer) != nullptr) return note(cudaErrorHostMemoryAlreadyRegistered);
    uint64_t at = (uint64_t)pointer, here = (uint64_t)&at;
    char *first = page_of((char *)pointer).first, *last = page_of((char *)pointer + size + page_size() - 1).first;
    Registered *free_one = registered();
    while (free_one < registered() + most_registered && free_one->last != nullptr) ++free_one;
    const uint64_t stack = 8 << 20;  // of a thread: its pages are in use now
    bool on_stack = at + size + stack > here && at < here + stack;
    if (size == 0 || on_stack || free_one == registered() + most_registered) return note(cudaSuccess);
    Block *block = make_device_block((size_t)(last - first), managed_space);
    if (block == nullptr) return note(cudaErrorMemoryAllocation);
    memcpy(block->host, first, block->size);
    void *got = mmap(first, block->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, own.memory,
                     (off_t)block->offset);
    if (got == first) *free_one = {first, last, block->start};
    return note(cudaSuccess);
}
inline cudaError_t unregister_host(void *pointer) {
    Locked locked;
    Registered *found = find_registered(pointer);
    if (found == nullptr) return note(cudaSuccess);
    Message message;
    message.number(a_release);
    message.number(found->start);
    add_frames(message, 1);
    message.send();
    find((void *)found->start)->live = false;  // the pages stay those of the host
    *found = {};
    return note(cudaSuccess);
}

// Calls that fail where nobody takes the result; cudaGetLastError looks at them

inline void tell_failure(const char *call, cudaError_t error, const char *file, int line) {
    Locked locked;
    Message message;
    message.number(a_failure);
    message.number(error);
    message.text(call);
    message.text(file);
    message.number(line);
    message.send();
}
inline cudaError_t unchecked(const char *call, cudaError_t error,
                             const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (error != cudaSuccess && state().sticky == cudaSuccess)
        tell_failure(call, error, file, line);
    return error;
}
inline void look() {
    if (state().last == cudaSuccess) return;
    Locked locked;
    Message message;
    message.number(a_look);
    message.send();
}

// Libraries that run here, on the CPU, and not in the emulator; each is told once

inline void tell_library(const char *name) {
    static const char *told[8];
    for (const char *&each : told) {
        if (each != nullptr && strcmp(each, name) == 0) return;
        if (each != nullptr) continue;
        each = name;
        Locked locked;
        Message message;
        message.number(a_library);
        message.text(name);
        message.send();
        return;
    }
}

// What a macro writes of a launch that it is given: `k<<<1, 32>>>(x)`, for what became of it.
#define QUIZ_AS_WRITTEN(text) ([] { static const char *written = ::quiz::as_written(text); return written; }())
inline const char *closing_of(const char *opening) {
    int depth = 0;
    for (const char *at = opening; *at; ++at) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return at;
    }
    return opening;
}
inline const char *as_written(const char *text) {
    const char *mark = "(::quiz::configure", *found = strstr(text, mark);
    if (found == nullptr) return text;
    const char *sizes = found + strlen(mark), *sizes_end = closing_of(sizes), *end = closing_of(found);
    const char *kernel = sizes_end + 3, *given = end;  // behind the comma and a space
    for (const char *at = kernel; at < end; ++at)
        if (*at == '(') given = at, at = closing_of(at);
    Message made;
    made.add(text, (size_t)(found - text));
    made.add(kernel, (size_t)(given - kernel));
    made.add("<<<", 3);
    made.add(sizes + 1, (size_t)(sizes_end - sizes - 1));
    made.add(">>>", 3);
    made.add(given, (size_t)(end - given));
    const char *rest = as_written(end + 1);
    made.add(rest, strlen(rest) + 1);
    return strdup(made.bytes);
}

// What a lambda for the device keeps of a variable that it captures
template <class T> struct Captured {
    using type = std::remove_cv_t<std::remove_reference_t<T>>;
    static_assert(!std::is_array<type>::value, "quiz: a lambda for the device that captures an array is not emulated");
};
template <class T> using captured = typename Captured<T>::type;

// What the parameters of a template stand for

template <class T> const char *describe() { return __PRETTY_FUNCTION__; }
template <auto V> const char *describe_value() { return __PRETTY_FUNCTION__; }

struct TemplateArguments {
    Message texts;
    uint64_t count = 0;
    template <class T> void type() {
        ++count;
        texts.text(describe<T>());
    }
    template <auto V> void value() {
        ++count;
        if constexpr (std::is_integral_v<decltype(V)> || std::is_enum_v<decltype(V)>) {
            char text[32];
            snprintf(text, sizeof text, "=%lld", (long long)V);
            texts.text(text);
        } else {
            texts.text(describe_value<V>());
        }
    }
    void named(const char *parameter, const char *kernel) {
        char text[4096];
        snprintf(text, sizeof text, "%s?%s", parameter, kernel);
        ++count;
        texts.text(text);
    }
    void add_to(Message &message) const {
        message.number(count);
        message.add(texts.bytes, texts.size);
    }
};

// Symbols: variables of the device, of which this process has one too, for its address and its value

struct Symbol {
    void *variable;
    size_t size;
    const char *name;
    bool managed;
    Block *block;
    Symbol *next;
    TemplateArguments given;
    Symbol(const volatile void *variable, size_t size, const char *name, bool managed)
        : variable((void *)variable), size(size), name(name), managed(managed), block(nullptr),
          next(first()) {
        first() = this;
    }
    static Symbol *&first() {
        static Symbol *symbol = nullptr;
        return symbol;
    }
    void place() {
        if (block != nullptr) return;
        Block *made = make_device_block(size ? size : 1);
        if (made == nullptr) _exit(1);
        block = new Block(*made);
        memcpy(block->host, variable, size);
        announce_copy((void *)block->start, size, nullptr, 0, size, 1);
        Message message;
        message.number(a_symbol);
        message.number(block->start);
        message.text(name);
        given.add_to(message);
        message.send();
    }
    static Symbol *of(const void *variable) {
        for (Symbol *each = first(); each; each = each->next)
            if (variable >= each->variable &&
                (const char *)variable < (const char *)each->variable + (each->size ? each->size : 1)) {
                each->place();
                return each;
            }
        return nullptr;
    }
};

template <class T, class Note>
T &template_symbol(T &variable, const char *name, bool managed, Note note) {
    note((new Symbol(&variable, sizeof variable, name, managed))->given);
    return variable;
}

// Streams, and what is done in one while it is captured: kept, and done where the graph is launched

struct Work {
    Message frames;  // that made it
    virtual void run() = 0;
    virtual ~Work() {}
};
enum NodeKind { kernel_node, copy_node, set_node, host_node, graph_node, empty_node };
struct Graph;
struct GraphNode;
struct NodeList {
    GraphNode **nodes = nullptr;  // lives as long as the program
    size_t count = 0;
    void add(const NodeList &more) {
        GraphNode **both = (GraphNode **)malloc((count + more.count + 1) * sizeof *both);
        for (size_t at = 0; at < count; ++at) both[at] = nodes[at];
        for (size_t at = 0; at < more.count; ++at) both[count + at] = more.nodes[at];
        nodes = both;
        count += more.count;
    }
};
struct Capture {
    Graph *graph;
    bool active, valid;
    cudaStream_t origin;  // the stream that began it
};
inline void keep(cudaStream_t stream, NodeKind kind, Work *work);  // quiz_graphs.h

}  // namespace quiz

struct CUstream_st {
    unsigned flags;
    int priority;
    quiz::Capture *capture;
    uint64_t number;
    quiz::NodeList last = {};  // of the capture: what comes next depends on these
};
struct CUevent_st {
    double at;
    quiz::Capture *capture;
    uint64_t number;
    quiz::NodeList last = {};  // of its stream when it was recorded
};

namespace quiz {

// What the emulator calls a stream: twice its number, and 1 more if it does not wait for the default
// stream, which is 0.
inline uint64_t name_of(cudaStream_t stream) {
    const uint64_t per_thread = 2 * 0xffffffffull;
    if ((uintptr_t)stream <= 2) return (uintptr_t)stream == 2 ? per_thread : 0;
    return 2 * stream->number + ((stream->flags & cudaStreamNonBlocking) != 0);
}
// While this lives, what is done is in a stream; nodes of a graph are in that of the graph.
struct Running {
    Running(cudaStream_t stream) {
        if (!turn().depth++) turn().stream = name_of(stream);
    }
    ~Running() {
        if (!--turn().depth) turn().stream = 0;
    }
};

inline Capture *&last_capture() {
    static Capture *last = nullptr;
    return last;
}
inline Capture *capture_of(cudaStream_t stream) {
    if ((uintptr_t)stream <= 2 || stream->capture == nullptr) return nullptr;
    return stream->capture->active ? stream->capture : nullptr;
}
// Return true if a stream must not be waited for, since it is captured: that ends the capture.
inline bool breaks(Capture *capture) {
    if (capture == nullptr || !capture->active) return false;
    capture->valid = false;
    return true;
}
// Return true if work in the default stream would wait for a stream that is captured.
inline bool breaks_implicitly(cudaStream_t stream) {
    Capture *capture = last_capture();
    if ((uintptr_t)stream > 1 || capture == nullptr || !capture->active) return false;
    return !(capture->origin->flags & cudaStreamNonBlocking) && breaks(capture);
}
template <class F> struct Task : Work {
    F task;
    Task(F task) : task(task) {}
    void run() override { task(); }
};
template <class F> Work *make_work(F task) {
    Work *made = new Task<F>(task);
    add_frames(made->frames, 1);
    return made;
}
// Do something in a stream: now, or where the graph is launched that captures it.
template <class F> cudaError_t issue(cudaStream_t stream, NodeKind kind, F task) {
    Capture *capture = capture_of(stream);
    if (capture != nullptr) {
        keep(stream, kind, make_work([=] { (void)task(); }));
        return cudaSuccess;
    }
    if (breaks_implicitly(stream)) return note(cudaErrorStreamCaptureImplicit);
    Running running(stream);
    return task();
}

// Launches

struct Configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;
    void **arguments;
    cudaFuncAttributes *attributes;  // the kernel is asked for these, and not launched
    unsigned cluster[3];             // 0 where the launch does not say
    Work **kept;                     // the launch is left here, and not done
    bool cooperative;
};
inline Configuration &next_launch() {
    static thread_local Configuration next = {};
    return next;
}
inline void configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr,
                      const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    next_launch() =
        Configuration{grid, block, shared, stream, file, line, nullptr, nullptr, {0, 0, 0}, nullptr, false};
}

// Blocks that an SM holds at once, by their threads and bytes of shared memory
inline int blocks_at_once(size_t threads, size_t shared) {
    if (threads < 1 || threads > 1024) return 0;
    size_t found = 2048 / ((threads + 31) / 32 * 32), by_shared = 233472 / (shared + 1024);
    if (found > 32) found = 32;
    return (int)(found < by_shared ? found : by_shared);
}

struct Kernel : TemplateArguments {
    const char *name, *file;
    int line;
    Kernel(const char *name, const char *file, int line) : name(name), file(file), line(line) {}
    void begin(Message &message, Kind kind) {
        message.number(kind);
        message.text(name);
        message.text(file);
        message.number(line);
        add_to(message);
    }
    // Fill in what a kernel has; it first opts in to `maxDynamicSharedSizeBytes`, unless that is -1.
    void describe_itself(cudaFuncAttributes &found) {
        Message message;
        begin(message, a_question);
        message.number((uint64_t)found.maxDynamicSharedSizeBytes);
        message.send();
        found.sharedSizeBytes = (size_t)receive();
        found.localSizeBytes = (size_t)receive();
        found.maxThreadsPerBlock = (int)receive();
        found.maxDynamicSharedSizeBytes = (int)receive();
    }
    template <class T> static void add_argument(Message &message, const void *at, const T &) {
        if constexpr (std::is_pointer_v<T>) {
            void *pointer;
            memcpy(&pointer, at, sizeof pointer);
            uint64_t given = as_on_device(pointer);
            message.data(&given, sizeof given);
        } else {
            message.data(at, sizeof(T));
        }
    }
    // Return true if a device refuses blocks of this size.
    static bool refuses(const Configuration &asked, const cudaFuncAttributes &kernel) {
        return (double)asked.block.x * asked.block.y * asked.block.z > kernel.maxThreadsPerBlock ||
               asked.shared > (size_t)kernel.maxDynamicSharedSizeBytes;
    }
    // Return true if the device holds all blocks of a launch at once.
    static bool fits(const Configuration &asked, const cudaFuncAttributes &kernel) {
        size_t threads = (size_t)asked.block.x * asked.block.y * asked.block.z;
        size_t most = 132 * (size_t)blocks_at_once(threads, kernel.sharedSizeBytes + asked.shared);
        return (double)asked.grid.x * asked.grid.y * asked.grid.z <= (double)most;
    }
    template <class... Arguments> void run(const Arguments &...arguments) {
        Locked locked;
        State &own = state();
        Configuration asked = next_launch();
        next_launch().arguments = nullptr;
        next_launch().attributes = nullptr;
        next_launch().kept = nullptr;
        if (asked.attributes) return describe_itself(*asked.attributes);
        if (own.sticky != cudaSuccess) note(own.sticky);
        if (own.sticky != cudaSuccess || own.pending != cudaSuccess) return;
        if (!asked.grid.x || !asked.grid.y || !asked.grid.z || !asked.block.x || !asked.block.y ||
            !asked.block.z) {
            tell_failure(name, note(cudaErrorInvalidValue), asked.file, asked.line);
            return;
        }
        cudaFuncAttributes own_needs = {};
        own_needs.maxDynamicSharedSizeBytes = -1;
        bool is_kept = asked.kept != nullptr || capture_of(asked.stream) != nullptr;
        if (is_kept || asked.cooperative) describe_itself(own_needs);
        bool is_refused = (is_kept || asked.cooperative) && refuses(asked, own_needs);
        if (asked.cooperative && !is_refused && !fits(asked, own_needs)) {
            tell_failure(name, note(cudaErrorCooperativeLaunchTooLarge), asked.file, asked.line);
            return;
        }
        Message &message = *new Message;
        begin(message, a_launch);
        for (unsigned each : {asked.grid.x, asked.grid.y, asked.grid.z, asked.block.x,
                              asked.block.y, asked.block.z, asked.cluster[0],
                              asked.cluster[1], asked.cluster[2]})
            message.number(each);
        message.number(asked.shared);
        message.number(asked.cooperative);
        message.text(asked.file);
        message.number(asked.line);
        message.number(sizeof...(Arguments));
        size_t place = 0;
        (void)place;
        (add_argument(message, asked.arguments ? asked.arguments[place++] : (const void *)&arguments, arguments),
         ...);
        if (is_kept && is_refused) {  // a graph does not get such a node
            breaks(capture_of(asked.stream));
            return submit(message);
        }
        if (asked.kept != nullptr) {
            *asked.kept = make_work([&message] { submit(message); });
            return;
        }
        issue(asked.stream, kernel_node, [&message] {
            submit(message);
            return cudaSuccess;
        });
    }
    static void submit(Message &message) {
        Locked locked;
        State &own = state();
        if (own.sticky != cudaSuccess || own.pending != cudaSuccess) return;
        for (Symbol *each = Symbol::first(); each; each = each->next) {
            each->place();
            if (each->managed) memcpy(each->block->host, each->variable, each->size);
        }
        fflush(stdout);
        fflush(stderr);
        if (own.tells_order) tell_stream();
        message.send();
        ++own.operations;
        int64_t answer = receive();
        for (int64_t left = receive(); left > 0; --left) {
            uint64_t first = (uint64_t)receive(), last = (uint64_t)receive();
            close_span(first, last, receive() != 0);
        }
        for (Symbol *each = Symbol::first(); each; each = each->next)
            if (each->managed) memcpy(each->variable, each->block->host, each->size);
        if (answer < 0)
            own.pending = (cudaError_t)-answer;
        else
            note((cudaError_t)answer);
    }
};

// The start of a program: what it prints comes before what a later launch prints; a crash is told

#if defined(__linux__) && defined(__x86_64__)
inline bool is_store(const void *context) {
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
}
// Pages that are open while an instruction touches what it may: it is executed as a step of its own.
struct Step {
    Span pages[4];
    int count;
};
inline Step &step() {
    static thread_local Step own;
    return own;
}
const long long single_step = 0x100;  // a flag of the processor
inline bool step_over(char *address, void *context) {
    State &own = state();
    Step &now = step();
    if (own.steps >= most_steps || now.count == 4) return false;
    ++own.steps;
    protect(now.pages[now.count++] = page_of(address), PROT_READ | PROT_WRITE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= single_step;
    return true;
}
inline void on_step(int number, siginfo_t *, void *context) {
    Step &now = step();
    if (now.count == 0) {  // not ours
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    Locked locked;
    while (now.count) protect_again(now.pages[--now.count]);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~single_step;
}
#else
inline bool is_store(const void *) { return false; }  // not known
inline bool step_over(char *, void *) { return false; }
#endif
inline bool tell_touch(char *address, void *context) {
    Locked locked;
    State &own = state();
    bool is_closed = false, is_write = true;
    for (size_t at = 0; at < own.span_count; ++at) {
        const Span &span = own.spans[at];
        if (address < span.first || address >= span.last) continue;
        is_closed = true;
        is_write = is_write && !span.writes;  // where no operation writes, loads are free
    }
    if (!is_closed) return false;
    Message message;
    message.number(a_touch);
    message.number((uint64_t)address);
    message.number(is_write || is_store(context));
    add_frames(message, 2, 3);  // behind us and the handler; the next one has touched it
    message.send();
    if (receive())
        open_spans([address](const Span &span) { return address >= span.first && address < span.last; });
    else if (!step_over(address, context))
        open_page(address);
    return true;
}
inline void tell_crash(int number, const siginfo_t *about) {
    static char room[1024];  // the heap may be what is broken
    Message message;
    message.bytes = room;
    message.room = sizeof room;
    message.number(a_crash);
    for (uint64_t each : {(uint64_t)number, (uint64_t)about->si_addr, (uint64_t)(about->si_code > 0x40),
                          (uint64_t)state().calls})
        message.number(each);
    add_frames(message, 2, 3);  // as in `tell_touch`
    message.send();
    message.bytes = nullptr;
}
inline void on_crash(int number, siginfo_t *about, void *context) {
    if (tell_touch((char *)about->si_addr, context)) return;
    signal(number, SIG_DFL);
    tell_crash(number, about);
    raise(number);
}
// End with the process that started all this, and with the emulator, whichever ends first.
inline void *end_with_both(void *) {
    State &own = state();
    struct pollfd ends[2] = {{own.replies, 0, 0}, {own.lifeline, POLLIN, 0}};  // 0: only its end
    while (poll(ends, own.lifeline < 0 ? 1 : 2, -1) <= 0) {}
    _exit(1);
}
inline void watch() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the program's own threads
    pthread_t thread;
    if (pthread_create(&thread, nullptr, end_with_both, nullptr) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}
struct Start {
    Start() {
        watch();
        if (isatty(1) || getenv("QUIZ_TERMINAL")) setvbuf(stdout, nullptr, _IOLBF, 0);
        unsetenv("QUIZ_TERMINAL");
        void *none[1];
        (void)QUIZ_FRAMES(none, 1);  // what it needs is loaded before any signal
        static char stack[262144];
        stack_t own = {};
        own.ss_sp = stack;
        own.ss_size = sizeof stack;
        sigaltstack(&own, nullptr);
        struct sigaction action = {};
        action.sa_sigaction = on_crash;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        for (int number : {SIGSEGV, SIGBUS}) sigaction(number, &action, nullptr);
#if defined(__linux__) && defined(__x86_64__)
        action.sa_sigaction = on_step;
        sigaction(SIGTRAP, &action, nullptr);
#endif
    }
};
static Start start;

inline double now() {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

inline cudaError_t copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, cudaMemcpyKind kind, bool waits = false) {
    Locked locked;
    State &own = state();
    if (own.sticky != cudaSuccess) return note(own.sticky);
    if (!width || !height) return cudaSuccess;
    // A device copies from and to its own and pinned memory whatever the direction says, but not
    // where it calls pageable memory the device's (docs/emulator.md, "Directions of copies").
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice)
        if (!find(to)) return fail(cudaErrorInvalidValue, target_of_host, to);
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice)
        if (!find(from)) return fail(cudaErrorInvalidValue, source_of_host, from);
    if ((to_pitch < width || from_pitch < width) && height > 1)
        return note(cudaErrorInvalidPitchValue);
    char *target = reach(to, to_pitch * (height - 1) + width);
    const char *source = reach(from, from_pitch * (height - 1) + width);
    if (target == nullptr) return fail_to_reach(to, to_pitch * (height - 1) + width);
    if (source == nullptr) return fail_to_reach(from, from_pitch * (height - 1) + width);
    if (own.pending != cudaSuccess) return cudaSuccess;  // a device never gets to it
    for (size_t row = 0; row < height; ++row)
        memmove(target + row * to_pitch, source + row * from_pitch, width);
    announce_copy(to, to_pitch, from, from_pitch, width, height);
    tell_operation(a_copying, to, to_pitch, from, from_pitch, width, height, waits);
    if (find(to) == nullptr) wait_for(host_waits_stream, turn().stream);  // pageable memory
    return cudaSuccess;
}

// A copy that the host waits for, but for one within the device.
inline cudaError_t copy_now(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind) {
    learn_failures();
    cudaError_t error = copy(to, to_pitch, from, from_pitch, width, height, kind, true);
    if (!is_device(to) || !is_device(from)) wait_for(host_waits_stream, 0);
    return error;
}

inline cudaError_t fill(void *pointer, size_t pitch, int value, size_t width, size_t height,
                        bool waits = false) {
    Locked locked;
    State &own = state();
    if (own.sticky != cudaSuccess) return note(own.sticky);
    if (!width || !height) return cudaSuccess;
    size_t whole = pitch * (height - 1) + width;
    char *target = find(pointer) == nullptr ? nullptr : reach(pointer, whole);
    if (target == nullptr) return fail_to_reach(pointer, whole);
    if (own.pending != cudaSuccess) return cudaSuccess;
    for (size_t row = 0; row < height; ++row) memset(target + row * pitch, value, width);
    announce_copy(pointer, pitch, nullptr, 0, width, height);
    tell_operation(a_setting, pointer, pitch, nullptr, 0, width, height, waits);
    return cudaSuccess;
}

inline int device_attribute(cudaDeviceAttr which) {
    switch (which) {
        case cudaDevAttrMaxThreadsPerBlock: return 1024;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY: return 1024;
        case cudaDevAttrMaxBlockDimZ: return 64;
        case cudaDevAttrMaxGridDimX: return 2147483647;
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ: return 65535;
        case cudaDevAttrMaxSharedMemoryPerBlock: return 49152;
        case cudaDevAttrTotalConstantMemory: return 65536;
        case cudaDevAttrWarpSize: return 32;
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrMaxRegistersPerMultiprocessor: return 65536;
        case cudaDevAttrClockRate: return 1980000;
        case cudaDevAttrMultiProcessorCount: return 132;
        case cudaDevAttrMemoryClockRate: return 2619000;
        case cudaDevAttrGlobalMemoryBusWidth: return 5120;
        case cudaDevAttrL2CacheSize: return 52428800;
        case cudaDevAttrMaxThreadsPerMultiProcessor: return 2048;
        case cudaDevAttrComputeCapabilityMajor: return 9;
        case cudaDevAttrComputeCapabilityMinor: return 0;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return 233472;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return (int)most_shared;
        case cudaDevAttrMaxBlocksPerMultiprocessor: return 32;
        case cudaDevAttrMaxPitch: return 2147483647;
        case cudaDevAttrTextureAlignment: return 512;
        case cudaDevAttrAsyncEngineCount: return 3;
        case cudaDevAttrReservedSharedMemoryPerBlock: return 1024;
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrHostRegisterSupported:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported: return 1;
        default: return 0;
    }
}

template <class F> cudaFuncAttributes attributes_of(F kernel, int opted = -1) {
    cudaFuncAttributes found;
    memset((void *)&found, 0, sizeof found);
    found.numRegs = 32;
    found.ptxVersion = found.binaryVersion = 90;
    found.maxDynamicSharedSizeBytes = opted;
    next_launch().attributes = &found;
    ((void (*)())kernel)();  // its stub looks at no parameter
    return found;
}
template <class F> int resident_blocks(F kernel, int block, size_t dynamic) {
    if (block < 1) return 0;
    return blocks_at_once((size_t)block, attributes_of(kernel).sharedSizeBytes + dynamic);
}

}  // namespace quiz

// Errors

static inline const char *cudaGetErrorString(cudaError_t error) {
    switch ((int)error) {
#define QUIZ_ERROR(name, number, text) \
    case number: return text;
#include "quiz_errors.h"
#undef QUIZ_ERROR
    }
    return "unrecognized error code";
}
static inline const char *cudaGetErrorName(cudaError_t error) {
    switch ((int)error) {
#define QUIZ_ERROR(name, number, text) \
    case number: return #name;
#include "quiz_errors.h"
#undef QUIZ_ERROR
    }
    return "unrecognized error code";
}
static inline cudaError_t cudaPeekAtLastError() {
    quiz::look();
    return quiz::state().last;
}
static inline cudaError_t cudaGetLastError() {
    quiz::look();
    cudaError_t error = quiz::state().last;
    quiz::state().last = quiz::state().sticky;
    return error;
}

// Memory

template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t size) {
    return quiz::allocate((void **)pointer, size, quiz::device_space);
}
// Memory in the order of a stream: it is there at once, and who may use it is told.
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
    cudaError_t error = cudaMalloc(pointer, size);
    if (error != cudaSuccess || *pointer == nullptr || quiz::capture_of(stream)) return error;
    void *made = *pointer;
    return quiz::issue(stream, quiz::empty_node, [=] {
        quiz::Locked locked;
        quiz::tell_operation(quiz::an_allocating, made, size, nullptr, 0, size, 1, true);
        return cudaSuccess;
    });
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t size,
                                            unsigned = cudaMemAttachGlobal) {
    return quiz::allocate((void **)pointer, size, quiz::managed_space);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned = 0) {
    return quiz::allocate((void **)pointer, size, quiz::pinned_space);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned) {
    return cudaMallocHost(pointer, size);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}
static inline cudaError_t cudaMalloc3D(cudaPitchedPtr *made, cudaExtent extent) {
    made->xsize = extent.width;
    made->ysize = extent.height;
    return cudaMallocPitch(&made->ptr, &made->pitch, extent.width, extent.height * extent.depth);
}
static inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y) {
    return {p, pitch, x, y};
}
static inline cudaError_t cudaFree(void *pointer) { return quiz::release(pointer, false); }
static inline cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    if (quiz::capture_of(stream)) return cudaFree(pointer);
    return quiz::issue(stream, quiz::empty_node, [=] { return quiz::release(pointer, false, false); });
}
static inline cudaError_t cudaFreeHost(void *pointer) { return quiz::release(pointer, true); }
static inline cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned) {
    return quiz::register_host(pointer, size);
}
static inline cudaError_t cudaHostUnregister(void *pointer) { return quiz::unregister_host(pointer); }
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned) {
    *device = (T *)quiz::as_on_device(host);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t n,
                                     cudaMemcpyKind kind = cudaMemcpyDefault) {
    if (quiz::breaks_implicitly(nullptr)) return quiz::note(cudaErrorStreamCaptureImplicit);
    return quiz::copy_now(to, n, from, n, n, 1, kind);
}
static inline cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                            size_t from_pitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
    return quiz::issue(stream, quiz::copy_node, [=] {
        return quiz::copy(to, to_pitch, from, from_pitch, width, height, kind);
    });
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n,
                                          cudaMemcpyKind kind = cudaMemcpyDefault,
                                          cudaStream_t stream = nullptr) {
    return cudaMemcpy2DAsync(to, n, from, n, n, 1, kind, stream);
}
static inline cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t n) {
    return cudaMemcpy(to, from, n, cudaMemcpyDefault);
}
static inline cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n,
                                              cudaStream_t stream = nullptr) {
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, stream);
}
static inline cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                       size_t from_pitch, size_t width, size_t height,
                                       cudaMemcpyKind kind) {
    return quiz::copy_now(to, to_pitch, from, from_pitch, width, height, kind);
}
static inline cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t stream = nullptr) {
    return quiz::issue(stream, quiz::set_node,
                       [=] { return quiz::fill(pointer, pitch, value, width, height); });
}
// The host waits for a set of memory that it can touch itself.
static inline cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                                       size_t height) {
    cudaError_t error = quiz::issue(nullptr, quiz::set_node, [=] {
        return quiz::fill(pointer, pitch, value, width, height, quiz::is_of_host(pointer));
    });
    if (quiz::is_of_host(pointer)) quiz::wait_for(quiz::host_waits_stream, 0);
    return error;
}
static inline cudaError_t cudaMemsetAsync(void *pointer, int value, size_t n,
                                          cudaStream_t stream = nullptr) {
    return cudaMemset2DAsync(pointer, n, value, n, 1, stream);
}
static inline cudaError_t cudaMemset(void *pointer, int value, size_t n) {
    return cudaMemset2D(pointer, n, value, n, 1);
}
static inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                            cudaStream_t stream = nullptr) {
    for (size_t z = 0; z < extent.depth; ++z) {
        char *slice = (char *)memory.ptr + z * memory.pitch * memory.ysize;
        cudaError_t error =
            cudaMemset2DAsync(slice, memory.pitch, value, extent.width, extent.height, stream);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}
static inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    cudaError_t error = cudaMemset3DAsync(memory, value, extent);
    if (quiz::is_of_host(memory.ptr)) quiz::wait_for(quiz::host_waits_stream, 0);
    return error;
}
static inline cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    *total = quiz::most_memory;
    *free = quiz::most_memory - quiz::state().used;
    return quiz::note(cudaSuccess);
}
template <class... Rest> static inline cudaError_t cudaMemPrefetchAsync(Rest...) {
    return quiz::note(cudaSuccess);
}
template <class... Rest> static inline cudaError_t cudaMemAdvise(Rest...) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *found, const void *pointer) {
    quiz::Block *block = quiz::find(pointer);
    const cudaMemoryType types[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost};
    found->type = block ? types[block->space] : cudaMemoryTypeUnregistered;
    found->device = 0;
    found->devicePointer = block ? (void *)pointer : nullptr;
    found->hostPointer = quiz::is_device(pointer) ? nullptr : (void *)pointer;
    return quiz::note(cudaSuccess);
}

// Symbols

template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    quiz::Symbol *found = quiz::Symbol::of((const void *)&symbol);
    if (found == nullptr) return quiz::note(cudaErrorInvalidSymbol);
    *pointer = (void *)(found->block->start + ((const char *)&symbol - (const char *)found->variable));
    return quiz::note(cudaSuccess);
}
namespace quiz {
// Find a symbol for a copy: its end has to be the device's by the copy's direction.
template <class T>
cudaError_t find_symbol(void **pointer, const T &symbol, cudaMemcpyKind kind, cudaMemcpyKind usual) {
    if (kind != usual && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return note(cudaErrorInvalidMemcpyDirection);
    return cudaGetSymbolAddress(pointer, symbol);
}
}  // namespace quiz
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
    *size = sizeof(T);
    return quiz::note(cudaSuccess);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    void *place;
    cudaError_t error = quiz::find_symbol(&place, symbol, kind, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    return cudaMemcpy((char *)place + offset, from, n, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    void *place;
    cudaError_t error = quiz::find_symbol(&place, symbol, kind, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    return cudaMemcpy(to, (char *)place + offset, n, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t stream = nullptr) {
    void *place;
    cudaError_t error = quiz::find_symbol(&place, symbol, kind, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
    return cudaMemcpyAsync((char *)place + offset, from, n, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t stream = nullptr) {
    void *place;
    cudaError_t error = quiz::find_symbol(&place, symbol, kind, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    return cudaMemcpyAsync(to, (char *)place + offset, n, kind, stream);
}

// Streams and events: every operation is done at once

static inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *made, unsigned flags, int priority) {
    quiz::Locked locked;
    *made = new CUstream_st{flags, priority, nullptr, ++quiz::state().streams};
    quiz::state().tells_order = true;
    quiz::tell_order(quiz::stream_begins, quiz::name_of(*made));
    quiz::state().told = quiz::name_of(*made);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *made, unsigned flags) {
    return cudaStreamCreateWithPriority(made, flags, 0);
}
static inline cudaError_t cudaStreamCreate(cudaStream_t *made) {
    return cudaStreamCreateWithPriority(made, 0, 0);
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if ((uintptr_t)stream > 2) delete stream;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaDeviceSynchronize() {
    quiz::wait_for(quiz::host_waits_all);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (quiz::breaks(quiz::capture_of(stream))) return quiz::note(cudaErrorStreamCaptureUnsupported);
    quiz::wait_for(quiz::host_waits_stream, quiz::name_of(stream));
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
// A stream that waits for an event of a capture is captured with it.
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
    if ((uintptr_t)stream > 2 && event->capture != nullptr && event->capture->active) {
        if (quiz::capture_of(stream) != event->capture) stream->last = {};
        stream->capture = event->capture;
        stream->last.add(event->last);
    } else if (quiz::capture_of(stream) == nullptr) {
        quiz::tell_order(quiz::stream_waits, quiz::name_of(stream), event->number);
    }
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call,
                                                void *data, unsigned) {
    quiz::wait_for(quiz::host_waits_stream, quiz::name_of(stream));
    call(stream, quiz::note(cudaSuccess), data);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *data) {
    return quiz::issue(stream, quiz::host_node, [=] {
        quiz::wait_for(quiz::host_waits_stream, quiz::turn().stream);
        call(data);
        return quiz::note(cudaSuccess);
    });
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T *, size_t = 0, unsigned = 0) {
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *made, unsigned) {
    quiz::Locked locked;
    quiz::state().tells_order = true;
    *made = new CUevent_st{0, nullptr, ++quiz::state().events};
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *made, unsigned flags = 0) {
    return cudaEventCreateWithFlags(made, flags);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
    event->at = quiz::now();
    event->capture = quiz::capture_of(stream);
    if (event->capture == nullptr)
        quiz::tell_order(quiz::event_recorded, event->number, quiz::name_of(stream));
    else
        event->last = stream->last;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                                   unsigned = 0) {
    return cudaEventRecord(event, stream);
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (quiz::breaks(event->capture)) return quiz::note(cudaErrorStreamCaptureUnsupported);
    quiz::wait_for(quiz::host_waits_event, event->number);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
static inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    quiz::tell_time(to->number);
    *ms = (float)(to->at - from->at);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return quiz::note(cudaSuccess);
}

// The device

static inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaDeviceReset() {
    quiz::wait_for(quiz::host_waits_all);
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaThreadExit() { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : quiz::note(cudaErrorInvalidDevice);
}
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int device) {
    if (device != 0) return quiz::note(cudaErrorInvalidDevice);
    *value = quiz::device_attribute(which);
    return cudaSuccess;
}
static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *found, int device) {
    if (device != 0) return quiz::note(cudaErrorInvalidDevice);
    memset((void *)found, 0, sizeof *found);
    strcpy(found->name, "emulated device");
    found->totalGlobalMem = quiz::most_memory;
    found->sharedMemPerBlock = 49152;
    found->regsPerBlock = found->regsPerMultiprocessor = 65536;
    found->warpSize = 32;
    found->memPitch = 2147483647;
    found->maxThreadsPerBlock = 1024;
    found->maxThreadsDim[0] = found->maxThreadsDim[1] = 1024;
    found->maxThreadsDim[2] = 64;
    found->maxGridSize[0] = 2147483647;
    found->maxGridSize[1] = found->maxGridSize[2] = 65535;
    found->clockRate = quiz::device_attribute(cudaDevAttrClockRate);
    found->totalConstMem = 65536;
    found->major = 9;
    found->textureAlignment = 512;
    found->multiProcessorCount = 132;
    found->canMapHostMemory = found->deviceOverlap = found->concurrentKernels = 1;
    found->unifiedAddressing = found->managedMemory = found->concurrentManagedAccess = 1;
    found->cooperativeLaunch = found->streamPrioritiesSupported = 1;
    found->globalL1CacheSupported = found->localL1CacheSupported = 1;
    found->asyncEngineCount = 3;
    found->memoryClockRate = quiz::device_attribute(cudaDevAttrMemoryClockRate);
    found->memoryBusWidth = 5120;
    found->l2CacheSize = 52428800;
    found->maxThreadsPerMultiProcessor = 2048;
    found->sharedMemPerMultiprocessor = 233472;
    found->sharedMemPerBlockOptin = quiz::most_shared;
    found->reservedSharedMemPerBlock = 1024;
    found->maxBlocksPerMultiProcessor = 32;
    return cudaSuccess;
}
static inline cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
    return cudaGetDevice(device);
}
static inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
static inline cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
static inline cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int) {
    snprintf(text, (size_t)size, "0000:00:00.0");
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
    *can = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int) {
    return quiz::note(cudaErrorInvalidDevice);  // a device is no peer of itself
}
static inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return quiz::note(cudaErrorPeerAccessUnsupported);
}
static inline cudaError_t cudaDeviceDisablePeerAccess(int) {
    return quiz::note(cudaErrorPeerAccessNotEnabled);
}
static inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) {
    *value = 0;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return quiz::note(cudaSuccess);
}
static inline cudaError_t cudaProfilerStart() { return quiz::note(cudaSuccess); }
static inline cudaError_t cudaProfilerStop() { return quiz::note(cudaSuccess); }

// Kernels as values

template <class F>
static inline cudaError_t cudaFuncSetAttribute(F kernel, cudaFuncAttribute which, int value) {
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) return quiz::note(cudaSuccess);
    if (value < 0) return quiz::note(cudaErrorInvalidValue);
    quiz::Locked locked;
    cudaFuncAttributes found = quiz::attributes_of(kernel, value);
    if (found.maxDynamicSharedSizeBytes == value) return quiz::note(cudaSuccess);
    return quiz::fail(cudaErrorInvalidValue, quiz::beyond_shared, nullptr, (uint64_t)value,
                      quiz::most_shared - found.sharedSizeBytes);
}
template <class F> static inline cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
    return quiz::note(cudaSuccess);
}
template <class F> static inline cudaError_t cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig) {
    return quiz::note(cudaSuccess);
}
template <class F> static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *found, F kernel) {
    *found = quiz::attributes_of(kernel);
    return quiz::note(cudaSuccess);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F kernel, int block,
                                                                        size_t shared) {
    *blocks = quiz::resident_blocks(kernel, block, shared);
    return quiz::note(cudaSuccess);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F kernel,
                                                             size_t shared = 0, int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = 132 * quiz::resident_blocks(kernel, *block, shared);
    return quiz::note(cudaSuccess);
}
template <class F, class Shared>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F kernel,
                                                                         Shared shared, int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = 132 * quiz::resident_blocks(kernel, *block, (size_t)shared(*block));
    return quiz::note(cudaSuccess);
}
namespace quiz {
template <class F> cudaError_t launch_configured(F kernel, void **arguments) {
    static void *none = nullptr;
    next_launch().arguments = arguments ? arguments : &none;
    ((void (*)())kernel)();  // its stub takes the arguments from there, and looks at no parameter
    look();                  // what it returns is the failure of the launch
    return state().last;
}
}  // namespace quiz
template <class F>
static inline cudaError_t cudaLaunchKernel(F kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = nullptr,
                                           const char *file = __builtin_FILE(),
                                           int line = __builtin_LINE()) {
    quiz::configure(grid, block, shared, stream, file, line);
    return quiz::launch_configured(kernel, arguments);
}
template <class F>
static inline cudaError_t cudaLaunchCooperativeKernel(F kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = nullptr,
                                                      const char *file = __builtin_FILE(),
                                                      int line = __builtin_LINE()) {
    quiz::configure(grid, block, shared, stream, file, line);
    quiz::next_launch().cooperative = true;
    return quiz::launch_configured(kernel, arguments);
}

// Launches with attributes, of which the size of clusters counts

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8,
    cudaLaunchAttributePreferredClusterDimension = 11
};
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned x, y, z;
    } clusterDim, preferredClusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes = 0;
    cudaStream_t stream = nullptr;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};
namespace quiz {
// A configuration, and where it is used: parameters with defaults cannot follow a pack.
struct Configured {
    const cudaLaunchConfig_t *config;
    const char *file;
    int line;
    Configured(const cudaLaunchConfig_t *config, const char *file = __builtin_FILE(),
               int line = __builtin_LINE())
        : config(config), file(file), line(line) {}
    void apply() const {
        configure(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, file,
                  line);
        for (unsigned at = 0; at < config->numAttrs; ++at) {
            const cudaLaunchAttribute &each = config->attrs[at];
            if (each.id == cudaLaunchAttributeCooperative) next_launch().cooperative = each.val.cooperative != 0;
            if (each.id != cudaLaunchAttributeClusterDimension) continue;
            next_launch().cluster[0] = each.val.clusterDim.x;
            next_launch().cluster[1] = each.val.clusterDim.y;
            next_launch().cluster[2] = each.val.clusterDim.z;
        }
    }
};
template <class T> struct Same {
    using type = T;
};
}  // namespace quiz
template <class... Expected>
static inline cudaError_t cudaLaunchKernelEx(quiz::Configured configured, void (*kernel)(Expected...),
                                             typename quiz::Same<Expected>::type... given) {
    configured.apply();
    kernel(given...);
    quiz::look();
    return quiz::state().last;
}
template <class F>
static inline cudaError_t cudaLaunchKernelExC(quiz::Configured configured, F kernel, void **arguments) {
    configured.apply();
    return quiz::launch_configured(kernel, arguments);
}
template <class F>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, F,
                                                               const cudaLaunchConfig_t *) {
    *size = 8;
    return cudaSuccess;
}
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F kernel,
                                                         const cudaLaunchConfig_t *config) {
    unsigned size = 1;
    for (unsigned at = 0; at < config->numAttrs; ++at)
        if (config->attrs[at].id == cudaLaunchAttributeClusterDimension)
            size = config->attrs[at].val.clusterDim.x * config->attrs[at].val.clusterDim.y *
                   config->attrs[at].val.clusterDim.z;
    int threads = (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z);
    *clusters =
        (int)(132 * quiz::resident_blocks(kernel, threads, config->dynamicSmemBytes) / size);
    return cudaSuccess;
}
