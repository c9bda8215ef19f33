/* SPDX-License-Identifier: Apache-2.0
 *
 * berth/plugin.h: the contract between Berth and an allocator plugin. ABI version 1.0.
 *
 * A plugin is one shared object that exports one function, berth_plugin_query, and carries one ELF note
 * (berth_note). Query answers who the plugin is and points to a table of function groups. A group that the
 * plugin lacks is a null pointer; a group is there whole or not at all. The groups instance, device, memory and
 * copy are required.
 *
 * LIFE
 *
 *   mapped ──query──> known ──create──> instance ──open──> device ──allocate──> memory
 *                                                            └────create──> queue ──record──> event
 *   and back: event_destroy, queue destroy, free, unmap, host_free  before  close  before  destroy.
 *   The file stays mapped until the process ends. Several instances may live side by side, so a plugin keeps
 *   nothing in globals that may change.
 *
 * WORDS IN THE COMMENTS BELOW
 *
 *   Thread: any    may be called from any thread, also at the same time as any other function on the same object.
 *   Thread: queue  one thread at a time per queue; any thread otherwise.
 *   State          which objects must be alive. Calls in any other state are never made by the host.
 *   Errors         the codes with which the function may fail for reasons of its own. Beyond these, every function
 *                  that is given a device, queue or event may answer DEVICE_LOST, DRIVER_FAILED and
 *                  OUT_OF_HOST_MEMORY, and every function of an optional group UNSUPPORTED where the device's
 *                  capability bit is clear (and only there). PLUGIN_FAULT is how an author's own barrier reports a
 *                  bug of the plugin; no rule asks for it.
 *   Sizes, offsets and alignments are in bytes. Text is UTF-8.
 *
 * RULES THAT HOLD FOR EVERY FUNCTION
 *
 *  1. Every function except get_extension and log answers a berth_code and takes a berth_error last. On BERTH_OK and
 *     BERTH_NOT_READY the plugin does not touch the error. On failure it writes every field, code equal to the
 *     return value and message terminated, and leaves its outputs as it found them.
 *  2. In-structs begin with struct_size, the end of their last field as the caller knows it. Shorter than in 1.0:
 *     INVALID_ARGUMENT. Shorter than the plugin knows: the missing fields count as zero. Longer: accepted if the
 *     unknown tail is all zero, else NOT_UNDERSTOOD. Reserved words are zero and are never given a meaning.
 *  3. Out-structs begin with struct_size too: the caller writes its capacity, the callee fills at most that much and
 *     writes back how much it filled. A capacity shorter than in 1.0: INVALID_ARGUMENT. Presence of a field is told
 *     by size alone; the minor version is information.
 *  4. An unknown flag, enum value or option: NOT_UNDERSTOOD. An ordinal or an index of a kind or heap that does not
 *     exist: INVALID_ARGUMENT. Nothing is silently ignored.
 *  5. Strings in are borrowed until the call returns. Strings out are terminated arrays inside the out-struct.
 *  6. The host guarantees: arguments are not null unless the comment says so; memory is alive and belongs to that
 *     device; ranges are in bounds; copies within a device and maps do not overlap; nothing is freed while mapped or
 *     in use; one thread per queue; no call in a forked child. A plugin need not check these.
 *  7. A plugin refuses: sizes that overflow, bad alignments, unknown flags, kinds, options and ordinals, exhaustion.
 *  8. Zero bytes: the call succeeds without the driver and its pointers may be null.
 *  9. The caller's current device or context, signal actions and mask, locale, floating-point environment, working
 *     directory, environment and standard streams are the same after every call, also after a failed one. A plugin
 *     writes to no standard stream; text goes through berth_host.log.
 * 10. Once a device is lost, calls on it answer DEVICE_LOST at once without the driver, except free, free_on,
 *     host_free, unmap, event_destroy, queue destroy and close, which succeed, and properties, kind and heap, which
 *     still answer. A new open works if the driver allows it.
 * 11. No exception leaves a plugin. Functions are noexcept by type for authors in C++ (BERTH_NOEXCEPT).
 *
 * EXPERIMENTAL marks groups that no caller inside Berth uses yet: they may still change before 1.0 is declared final.
 * What changes is listed in abi/CHANGELOG.md. */
#ifndef BERTH_PLUGIN_H
#define BERTH_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

/* Authors get functions that are noexcept by type: assigning a function that may throw does not compile. The host
 * defines BERTH_HOST first, since it calls through a guard that catches what a plugin built without this lets out. */
#if defined(__cplusplus) && !defined(BERTH_HOST)
#define BERTH_NOEXCEPT noexcept
#else
#define BERTH_NOEXCEPT
#endif

#if defined(__GNUC__)
#define BERTH_EXPORT __attribute__((visibility("default")))
#else
#define BERTH_EXPORT
#endif

#if defined(__cplusplus)
#define BERTH_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define BERTH_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Pins the layout: BERTH_SIZE for a whole struct, BERTH_AT for one field. */
#define BERTH_SIZE(type, bytes) BERTH_STATIC_ASSERT(sizeof(type) == (bytes), #type " has another size")
#define BERTH_AT(type, field, offset) \
  BERTH_STATIC_ASSERT(offsetof(type, field) == (offset), #type "." #field " has moved")

/* The size of a struct whose last known field is `field`: what struct_size says. The constants BERTH_*_1_0 below are
 * the sizes in version 1.0, the least that is accepted; a struct that grows keeps its constant. */
#define BERTH_SIZE_UP_TO(type, field) (offsetof(type, field) + sizeof(((type*)0)->field))

#ifdef __cplusplus
extern "C" {
#endif

BERTH_STATIC_ASSERT(sizeof(void*) == 8, "the plugin ABI is defined for 64-bit processes");

/* ---- Versions ---------------------------------------------------------------------------------------------------- */

/* A plugin built for minor n works with every host of the same major, unless it declares a higher minimum. */
#define BERTH_ABI_MAJOR UINT32_C(1)
#define BERTH_ABI_MINOR UINT32_C(0)

/* ---- Codes ------------------------------------------------------------------------------------------------------- */

/* code >> 8 is the class, so that an old host can classify a new code. Class 0 is no failure. */
typedef int32_t berth_code;

#define BERTH_CLASS_OK 0
#define BERTH_CLASS_ARGUMENT 1
#define BERTH_CLASS_STATE 2
#define BERTH_CLASS_RESOURCE 3
#define BERTH_CLASS_UNAVAILABLE 4 /* tests of a plugin are skipped on this class only */
#define BERTH_CLASS_DEVICE 5
#define BERTH_CLASS_PLUGIN 6
#define BERTH_CLASS_OF(code) ((int32_t)(code) >> 8)

#define BERTH_OK INT32_C(0)
#define BERTH_NOT_READY INT32_C(1) /* event_query alone: the work is still running */

#define BERTH_INVALID_ARGUMENT INT32_C(0x101) /* a known field holds a value outside its range */
#define BERTH_NOT_UNDERSTOOD INT32_C(0x102)   /* a field, flag, enum value, option key or option type is unknown here */

#define BERTH_FAILED_PRECONDITION INT32_C(0x201) /* right call, wrong time: live children, kind not host visible */
#define BERTH_UNSUPPORTED INT32_C(0x202)         /* this device's capability bit is clear; nothing else */
#define BERTH_TIMEOUT INT32_C(0x203)             /* event_wait: the time given is over */

#define BERTH_OUT_OF_DEVICE_MEMORY INT32_C(0x301) /* the heap is full */
#define BERTH_TOO_LARGE INT32_C(0x302)            /* above the largest single allocation, however empty the heap */
#define BERTH_TOO_MANY_ALLOCATIONS INT32_C(0x303) /* the allocation count limit is reached */
#define BERTH_OUT_OF_HOST_MEMORY INT32_C(0x304)   /* ordinary host memory */
#define BERTH_OUT_OF_PINNED_MEMORY INT32_C(0x305) /* host_allocate: no more page-locked memory */

#define BERTH_NO_DEVICE INT32_C(0x401)          /* the driver is there and shows no such device */
#define BERTH_DEPENDENCY_MISSING INT32_C(0x402) /* driver library missing, a stub, or too old: the text tells which */
#define BERTH_NO_PERMISSION INT32_C(0x403)      /* the device exists and this user may not use it */

#define BERTH_DEVICE_LOST INT32_C(0x501)   /* a state: the device must be closed */
#define BERTH_EARLIER_WORK INT32_C(0x502)  /* work submitted earlier to this queue failed */
#define BERTH_DRIVER_FAILED INT32_C(0x503) /* the driver failed in a way no other code describes */

#define BERTH_PLUGIN_FAULT INT32_C(0x601)     /* the plugin found a bug of its own */
#define BERTH_VERSION_MISMATCH INT32_C(0x602) /* query: no version in common; the text names both ranges */

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

#define BERTH_MESSAGE_BYTES 512

#define BERTH_ERROR_RETRYABLE UINT32_C(1)       /* the same call may succeed later without any change */
#define BERTH_ERROR_DEVICE_UNUSABLE UINT32_C(2) /* only close helps */
#define BERTH_ERROR_EARLIER_WORK UINT32_C(4)    /* caused by asynchronous work, not by this call */

/* Frozen for all majors. The host clears code and the first byte of message before a call, and nothing else. */
typedef struct berth_error {
  berth_code code;      /* equal to the value returned */
  uint32_t flags;       /* BERTH_ERROR_* */
  int64_t native_code;  /* the driver's own code, 0 if none */
  int32_t option_index; /* the option at fault, -1 if none */
  uint32_t reserved;
  char message[BERTH_MESSAGE_BYTES]; /* one sentence, terminated: what, expected, found; no trailing newline */
} berth_error;

BERTH_SIZE(berth_error, 536);
BERTH_AT(berth_error, code, 0);
BERTH_AT(berth_error, flags, 4);
BERTH_AT(berth_error, native_code, 8);
BERTH_AT(berth_error, option_index, 16);
BERTH_AT(berth_error, reserved, 20);
BERTH_AT(berth_error, message, 24);

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

/* Opaque; each plugin defines what they point to. */
typedef struct berth_instance berth_instance;
typedef struct berth_device berth_device;
typedef struct berth_queue berth_queue;
typedef struct berth_event berth_event;

/* An address as the device sees it. An integer, so that dereferencing it on the host does not compile. */
typedef uint64_t berth_address;

#define BERTH_MEMORY_HAS_ADDRESS UINT32_C(1) /* `address` is meaningful; 0 can be a valid address */

/* One block of device memory. Frozen for the major. The plugin fills it at allocate; the host passes it back
 * unchanged and by pointer (another copy is fine). A plugin works from `handle` alone. */
typedef struct berth_memory {
  uint64_t handle;       /* non-zero; unique among the live blocks of its device */
  berth_address address; /* if BERTH_MEMORY_HAS_ADDRESS, else 0 */
  uint64_t size;         /* usable bytes, at least what was asked; bounds every range */
  uint32_t kind;         /* index of the kind it was allocated from */
  uint32_t flags;        /* BERTH_MEMORY_* */
  uint64_t reserved[4];  /* zero */
} berth_memory;

BERTH_SIZE(berth_memory, 64);
BERTH_AT(berth_memory, handle, 0);
BERTH_AT(berth_memory, address, 8);
BERTH_AT(berth_memory, size, 16);
BERTH_AT(berth_memory, kind, 24);
BERTH_AT(berth_memory, flags, 28);
BERTH_AT(berth_memory, reserved, 32);

/* ---- Options ----------------------------------------------------------------------------------------------------- */

#define BERTH_OPTION_BOOL UINT32_C(1)
#define BERTH_OPTION_INT UINT32_C(2)
#define BERTH_OPTION_DOUBLE UINT32_C(3)
#define BERTH_OPTION_STRING UINT32_C(4)

typedef union berth_option_value {
  uint64_t boolean; /* 0 or 1 */
  int64_t integer;
  double real;
  const char* string; /* borrowed until the call returns */
} berth_option_value;

/* One key and value. Frozen for the major. Passed as pointer and count (null and 0 when there are none): the one
 * array in this ABI. Keys are unique within an array. An unknown key or a wrong type is NOT_UNDERSTOOD, a value out
 * of range INVALID_ARGUMENT, both with the option's index in berth_error.option_index. */
typedef struct berth_option {
  const char* key; /* borrowed until the call returns */
  uint32_t type;   /* BERTH_OPTION_* */
  uint32_t reserved;
  berth_option_value value;
} berth_option;

BERTH_SIZE(berth_option_value, 8);
BERTH_SIZE(berth_option, 24);
BERTH_AT(berth_option, key, 0);
BERTH_AT(berth_option, type, 8);
BERTH_AT(berth_option, reserved, 12);
BERTH_AT(berth_option, value, 16);

/* ---- What the host offers ---------------------------------------------------------------------------------------- */

#define BERTH_LOG_ERROR INT32_C(1)
#define BERTH_LOG_WARNING INT32_C(2)
#define BERTH_LOG_INFO INT32_C(3)
#define BERTH_LOG_DEBUG INT32_C(4)

/* Valid from create until destroy returns. Grows at its end: look at struct_size. */
typedef struct berth_host {
  uint64_t struct_size;

  /* Writes one line to the host's log. level is BERTH_LOG_*, text one line without newline, borrowed.
   * Thread: any, also threads of the plugin. It must not be called from within itself, nor after destroy.
   * Errors: none; it always returns. */
  void (*log)(void* host_data, int32_t level, const char* text) BERTH_NOEXCEPT;

  /* A service of the host by name and exact version, or null. Valid until destroy returns. Thread: any. */
  const void* (*get_extension)(void* host_data, const char* name, uint32_t version)BERTH_NOEXCEPT;
} berth_host;

#define BERTH_HOST_1_0 UINT64_C(24)
BERTH_SIZE(berth_host, BERTH_HOST_1_0);
BERTH_AT(berth_host, struct_size, 0);
BERTH_AT(berth_host, log, 8);
BERTH_AT(berth_host, get_extension, 16);

/* ---- Instance (required) ----------------------------------------------------------------------------------------- */

typedef struct berth_create_args {
  uint64_t struct_size;
  const berth_option* options; /* instance options, also filters that define the ordinals; null if none */
  uint64_t option_count;
} berth_create_args;

#define BERTH_CREATE_ARGS_1_0 UINT64_C(24)
BERTH_SIZE(berth_create_args, BERTH_CREATE_ARGS_1_0);
BERTH_AT(berth_create_args, struct_size, 0);
BERTH_AT(berth_create_args, options, 8);
BERTH_AT(berth_create_args, option_count, 16);

typedef struct berth_instance_group {
  /* Makes an instance. Succeeds without a driver: absence is told by count. host and host_data are valid until
   * destroy returns; host_data may be null.
   * Thread: any. State: mapped.
   * Errors: NOT_UNDERSTOOD (unknown key, wrong type, unknown tail), INVALID_ARGUMENT (value out of range, args too
   * short), OUT_OF_HOST_MEMORY. */
  berth_code (*create)(const berth_create_args* args, const berth_host* host, void* host_data,
                       berth_instance** out_instance, berth_error* error) BERTH_NOEXCEPT;

  /* Ends an instance. Afterwards no thread of the plugin runs and no callback comes; threads of a driver are exempt
   * if the plugin says BERTH_PLUGIN_DRIVER_KEEPS_THREADS.
   * Thread: any, but nothing else may use the instance meanwhile. State: instance alive.
   * Errors: FAILED_PRECONDITION (devices are open; nothing is ended). */
  berth_code (*destroy)(berth_instance* instance, berth_error* error) BERTH_NOEXCEPT;

  /* An extension of the plugin by name and exact version, or null when it has none. device is null to ask for the
   * instance; a pointer is valid as long as the object it was asked for. Thread: any. State: instance alive. */
  const void* (*get_extension)(berth_instance* instance, berth_device* device_or_null, const char* name,
                               uint32_t version)BERTH_NOEXCEPT;
} berth_instance_group;

BERTH_SIZE(berth_instance_group, 24);
BERTH_AT(berth_instance_group, create, 0);
BERTH_AT(berth_instance_group, destroy, 8);
BERTH_AT(berth_instance_group, get_extension, 16);

/* ---- Device (required) ------------------------------------------------------------------------------------------- */

#define BERTH_NAME_BYTES 256
#define BERTH_PCI_BYTES 32

#define BERTH_DEVICE_SOFTWARE UINT32_C(1)    /* a driver that computes on the CPU; used only by leave of the user */
#define BERTH_DEVICE_INTEGRATED UINT32_C(2)  /* shares its memory with the host */
#define BERTH_DEVICE_TOTAL_KNOWN UINT32_C(4) /* total_bytes is meaningful */

/* How far an identity can be trusted. */
#define BERTH_IDENTITY_NONE UINT32_C(0)
#define BERTH_IDENTITY_DERIVED UINT32_C(1) /* made up by plugin or driver: stable, says nothing about hardware */
#define BERTH_IDENTITY_PARENT UINT32_C(2)  /* of the hardware this device is a part of: its siblings carry it too */
#define BERTH_IDENTITY_EXACT UINT32_C(3)   /* of exactly this device */

/* What can be said of a device before it is opened. */
typedef struct berth_device_description {
  uint64_t struct_size;
  uint32_t flags;        /* BERTH_DEVICE_* */
  uint32_t uuid_quality; /* BERTH_IDENTITY_* */
  uint32_t pci_quality;  /* BERTH_IDENTITY_* */
  uint32_t reserved;
  uint64_t total_bytes;          /* all heaps that are local to the device, if BERTH_DEVICE_TOTAL_KNOWN */
  uint8_t uuid[16];              /* in the order in which it is written */
  char pci[BERTH_PCI_BYTES];     /* "domain:bus:device.function" in lower-case hex: "0000:65:00.0"; or empty */
  char name[BERTH_NAME_BYTES];   /* what the hardware calls itself */
  char driver[BERTH_NAME_BYTES]; /* the driver's name and version; empty if unknown */
} berth_device_description;

#define BERTH_DEVICE_DESCRIPTION_1_0 UINT64_C(592)
BERTH_SIZE(berth_device_description, BERTH_DEVICE_DESCRIPTION_1_0);
BERTH_AT(berth_device_description, struct_size, 0);
BERTH_AT(berth_device_description, flags, 8);
BERTH_AT(berth_device_description, uuid_quality, 12);
BERTH_AT(berth_device_description, pci_quality, 16);
BERTH_AT(berth_device_description, reserved, 20);
BERTH_AT(berth_device_description, total_bytes, 24);
BERTH_AT(berth_device_description, uuid, 32);
BERTH_AT(berth_device_description, pci, 48);
BERTH_AT(berth_device_description, name, 80);
BERTH_AT(berth_device_description, driver, 336);

typedef struct berth_open_args {
  uint64_t struct_size;
  uint32_t ordinal;
  uint32_t flags;              /* none defined: zero */
  const berth_option* options; /* device options; null if none */
  uint64_t option_count;
} berth_open_args;

#define BERTH_OPEN_ARGS_1_0 UINT64_C(32)
BERTH_SIZE(berth_open_args, BERTH_OPEN_ARGS_1_0);
BERTH_AT(berth_open_args, struct_size, 0);
BERTH_AT(berth_open_args, ordinal, 8);
BERTH_AT(berth_open_args, flags, 12);
BERTH_AT(berth_open_args, options, 16);
BERTH_AT(berth_open_args, option_count, 24);

/* Capability bits. A bit may be set only if its group is in the table. */
#define BERTH_CAN_COPY_WITHIN (UINT64_C(1) << 0)
#define BERTH_CAN_FILL (UINT64_C(1) << 1)
#define BERTH_CAN_MEMORY_INFO (UINT64_C(1) << 2)
#define BERTH_CAN_STAGING (UINT64_C(1) << 3)
#define BERTH_CAN_QUEUE (UINT64_C(1) << 4)
#define BERTH_CAN_ASYNC (UINT64_C(1) << 5) /* needs BERTH_CAN_QUEUE */
#define BERTH_CAN_PEER (UINT64_C(1) << 6)
#define BERTH_CAN_QUEUE_PEER (UINT64_C(1) << 7) /* needs BERTH_CAN_QUEUE and BERTH_CAN_PEER */
#define BERTH_CAN_MAP (UINT64_C(1) << 8)

#define BERTH_NO_LIMIT UINT64_MAX /* for the limits below: none known */

/* What an open device is. Constant while it is open, options of open included. */
typedef struct berth_device_properties {
  uint64_t struct_size;
  uint64_t capabilities;    /* BERTH_CAN_*; a host ignores bits it does not know */
  uint32_t kind_count;      /* at least 1 */
  uint32_t heap_count;      /* at least 1 */
  uint64_t max_allocations; /* live allocations that the caller can reach, or BERTH_NO_LIMIT */
  uint64_t copy_alignment;  /* offsets and sizes that copy fastest; a power of two; any byte works */
  uint64_t bind_alignment;  /* offsets at which compute APIs can bind part of a memory; a power of two */
  uint64_t max_bind_size;   /* largest part that they can bind, or BERTH_NO_LIMIT */
  uint64_t map_granularity; /* ranges mapped together lie apart by this; a power of two, 1 if they need not */
} berth_device_properties;

#define BERTH_DEVICE_PROPERTIES_1_0 UINT64_C(64)
BERTH_SIZE(berth_device_properties, BERTH_DEVICE_PROPERTIES_1_0);
BERTH_AT(berth_device_properties, struct_size, 0);
BERTH_AT(berth_device_properties, capabilities, 8);
BERTH_AT(berth_device_properties, kind_count, 16);
BERTH_AT(berth_device_properties, heap_count, 20);
BERTH_AT(berth_device_properties, max_allocations, 24);
BERTH_AT(berth_device_properties, copy_alignment, 32);
BERTH_AT(berth_device_properties, bind_alignment, 40);
BERTH_AT(berth_device_properties, max_bind_size, 48);
BERTH_AT(berth_device_properties, map_granularity, 56);

#define BERTH_KIND_DEVICE_LOCAL UINT32_C(1)
#define BERTH_KIND_HOST_VISIBLE UINT32_C(2)  /* map works */
#define BERTH_KIND_HOST_COHERENT UINT32_C(4) /* maps need no flush */
#define BERTH_KIND_HAS_ADDRESS UINT32_C(8)   /* blocks with a size have BERTH_MEMORY_HAS_ADDRESS */
#define BERTH_KIND_FLAT_ADDRESS UINT32_C(16) /* the address is also a host pointer to the same bytes */

/* One kind of memory. Kind 0 is the default. */
typedef struct berth_kind_properties {
  uint64_t struct_size;
  uint32_t flags;          /* BERTH_KIND_* */
  uint32_t heap;           /* index of the heap it comes from */
  uint64_t size_multiple;  /* blocks take up multiples of this; at least 1 */
  uint64_t min_alignment;  /* what alignment 0 means; a power of two */
  uint64_t max_alignment;  /* largest alignment that can be asked for; a power of two, at least 64 */
  uint64_t max_allocation; /* largest single block, or BERTH_NO_LIMIT */
} berth_kind_properties;

#define BERTH_KIND_PROPERTIES_1_0 UINT64_C(48)
BERTH_SIZE(berth_kind_properties, BERTH_KIND_PROPERTIES_1_0);
BERTH_AT(berth_kind_properties, struct_size, 0);
BERTH_AT(berth_kind_properties, flags, 8);
BERTH_AT(berth_kind_properties, heap, 12);
BERTH_AT(berth_kind_properties, size_multiple, 16);
BERTH_AT(berth_kind_properties, min_alignment, 24);
BERTH_AT(berth_kind_properties, max_alignment, 32);
BERTH_AT(berth_kind_properties, max_allocation, 40);

#define BERTH_HEAP_TOTAL_KNOWN UINT32_C(1)  /* total_bytes is meaningful */
#define BERTH_HEAP_DEVICE_LOCAL UINT32_C(2) /* memory of the device, not of the host */

typedef struct berth_heap_properties {
  uint64_t struct_size;
  uint32_t flags; /* BERTH_HEAP_* */
  uint32_t reserved;
  uint64_t total_bytes; /* after options lowered it; if BERTH_HEAP_TOTAL_KNOWN */
} berth_heap_properties;

#define BERTH_HEAP_PROPERTIES_1_0 UINT64_C(24)
BERTH_SIZE(berth_heap_properties, BERTH_HEAP_PROPERTIES_1_0);
BERTH_AT(berth_heap_properties, struct_size, 0);
BERTH_AT(berth_heap_properties, flags, 8);
BERTH_AT(berth_heap_properties, reserved, 12);
BERTH_AT(berth_heap_properties, total_bytes, 16);

typedef struct berth_device_group {
  /* How many devices there are. Ordinals are 0 to count - 1, stable for the life of the instance, and list every
   * device that the instance options leave; only the host filters. 0 is never answered: that is NO_DEVICE.
   * Thread: any. State: instance alive.
   * Errors: class unavailable, with a sentence that says what to install or change; DRIVER_FAILED;
   * OUT_OF_HOST_MEMORY. */
  berth_code (*count)(berth_instance* instance, uint32_t* out_count, berth_error* error) BERTH_NOEXCEPT;

  /* Describes a device, open or not. Works without an earlier count and leaves no context or thread behind, but for
   * threads of a driver when the plugin says BERTH_PLUGIN_DRIVER_STARTS_THREADS.
   * Thread: any. State: instance alive.
   * Errors: INVALID_ARGUMENT (no such ordinal, capacity too short); class unavailable; DRIVER_FAILED;
   * OUT_OF_HOST_MEMORY. */
  berth_code (*describe)(berth_instance* instance, uint32_t ordinal, berth_device_description* out_description,
                         berth_error* error) BERTH_NOEXCEPT;

  /* Opens a device, and touches no other. Opening an ordinal twice gives two independent devices; limits are counted
   * per ordinal and instance. A failed open leaves nothing behind and may be repeated.
   * Thread: any; the host never runs two opens at once. State: instance alive.
   * Errors: INVALID_ARGUMENT (no such ordinal, option value out of range, args too short), NOT_UNDERSTOOD (unknown
   * key, wrong type, flag or tail), class unavailable, OUT_OF_DEVICE_MEMORY, OUT_OF_PINNED_MEMORY. */
  berth_code (*open)(berth_instance* instance, const berth_open_args* args, berth_device** out_device,
                     berth_error* error) BERTH_NOEXCEPT;

  /* Closes a device, also a lost one. Its events may outlive their queue but not this call.
   * Thread: any, but nothing else may use the device meanwhile. State: device open.
   * Errors: FAILED_PRECONDITION (live memory, staging memory, queues or maps; nothing is freed). Events do not
   * count. */
  berth_code (*close)(berth_device* device, berth_error* error) BERTH_NOEXCEPT;

  /* Thread: any. State: device open, lost or not. Errors: INVALID_ARGUMENT (capacity too short). */
  berth_code (*properties)(berth_device* device, berth_device_properties* out_properties,
                           berth_error* error) BERTH_NOEXCEPT;

  /* One kind of memory. Thread: any. State: device open, lost or not.
   * Errors: INVALID_ARGUMENT (index not below kind_count, capacity too short). */
  berth_code (*kind)(berth_device* device, uint32_t index, berth_kind_properties* out_kind,
                     berth_error* error) BERTH_NOEXCEPT;

  /* One heap. Thread: any. State: device open, lost or not.
   * Errors: INVALID_ARGUMENT (index not below heap_count, capacity too short). */
  berth_code (*heap)(berth_device* device, uint32_t index, berth_heap_properties* out_heap,
                     berth_error* error) BERTH_NOEXCEPT;
} berth_device_group;

BERTH_SIZE(berth_device_group, 56);
BERTH_AT(berth_device_group, count, 0);
BERTH_AT(berth_device_group, describe, 8);
BERTH_AT(berth_device_group, open, 16);
BERTH_AT(berth_device_group, close, 24);
BERTH_AT(berth_device_group, properties, 32);
BERTH_AT(berth_device_group, kind, 40);
BERTH_AT(berth_device_group, heap, 48);

/* ---- Memory (required) ------------------------------------------------------------------------------------------- */

typedef struct berth_allocate_args {
  uint64_t struct_size;
  uint64_t size;
  uint64_t alignment; /* 0 (the kind's minimum) or a power of two up to the kind's maximum */
  uint32_t kind;      /* index */
  uint32_t flags;     /* none defined: zero */
} berth_allocate_args;

#define BERTH_ALLOCATE_ARGS_1_0 UINT64_C(32)
BERTH_SIZE(berth_allocate_args, BERTH_ALLOCATE_ARGS_1_0);
BERTH_AT(berth_allocate_args, struct_size, 0);
BERTH_AT(berth_allocate_args, size, 8);
BERTH_AT(berth_allocate_args, alignment, 16);
BERTH_AT(berth_allocate_args, kind, 24);
BERTH_AT(berth_allocate_args, flags, 28);

typedef struct berth_memory_group {
  /* Allocates, usable from any queue at return. Contents are undefined. Size 0 succeeds without the driver, also on
   * a full device: a unique handle, size 0, no address. The alignment is really met; without addresses it is what
   * compute APIs see at offset 0. A full device is an error of this call, not of the first copy: drivers that commit
   * lazily are counted against first. After failure nothing is allocated.
   * Thread: any. State: device open.
   * Errors: INVALID_ARGUMENT (no such kind, alignment not a power of two or above the maximum, args too short),
   * NOT_UNDERSTOOD (flag or tail), TOO_LARGE (also sizes that overflow when rounded up), OUT_OF_DEVICE_MEMORY,
   * TOO_MANY_ALLOCATIONS. */
  berth_code (*allocate)(berth_device* device, const berth_allocate_args* args, berth_memory* out_memory,
                         berth_error* error) BERTH_NOEXCEPT;

  /* Frees. The caller guarantees that nothing uses the memory. It always consumes the handle, also when it fails:
   * a failed free still leaves the count of children. OK on a lost device and when the driver is gone.
   * Thread: any. State: device open, lost or not.
   * Errors: DRIVER_FAILED (the handle is gone, the memory may be stranded). */
  berth_code (*free)(berth_device* device, const berth_memory* memory, berth_error* error) BERTH_NOEXCEPT;
} berth_memory_group;

BERTH_SIZE(berth_memory_group, 16);
BERTH_AT(berth_memory_group, allocate, 0);
BERTH_AT(berth_memory_group, free, 8);

/* ---- Copy (required) --------------------------------------------------------------------------------------------- */

typedef struct berth_copy_group {
  /* Copies from the host to the device. Done at return: the host memory may be reused and the bytes are visible to
   * every queue. Not ordered with work on queues. Works at any byte; neighbours stay untouched.
   * Thread: any. State: device open. Errors: OUT_OF_PINNED_MEMORY (no way to stage). */
  berth_code (*to_device)(berth_device* device, const berth_memory* to, uint64_t to_offset, const void* from,
                          uint64_t bytes, berth_error* error) BERTH_NOEXCEPT;

  /* Copies from the device to the host. Done at return. Otherwise as to_device, with the same errors. On failure the
   * host range may have been written in part. */
  berth_code (*to_host)(berth_device* device, const berth_memory* from, uint64_t from_offset, void* to, uint64_t bytes,
                        berth_error* error) BERTH_NOEXCEPT;
} berth_copy_group;

BERTH_SIZE(berth_copy_group, 16);
BERTH_AT(berth_copy_group, to_device, 0);
BERTH_AT(berth_copy_group, to_host, 8);

/* ---- Copy within, fill, memory info ------------------------------------------------------------------------------ */

typedef struct berth_copy_within_group {
  /* Copies between two memories of one device, or two ranges of one memory that do not overlap. Done at return,
   * at any byte. The host emulates it where it is absent.
   * Thread: any. State: device open. Errors: none of its own. */
  berth_code (*copy_within)(berth_device* device, const berth_memory* to, uint64_t to_offset, const berth_memory* from,
                            uint64_t from_offset, uint64_t bytes, berth_error* error) BERTH_NOEXCEPT;
} berth_copy_within_group;

BERTH_SIZE(berth_copy_within_group, 8);
BERTH_AT(berth_copy_within_group, copy_within, 0);

typedef struct berth_fill_group {
  /* Sets every byte of a range to one value. Done at return, at any byte. The host emulates it where it is absent.
   * Thread: any. State: device open. Errors: none of its own. */
  berth_code (*fill)(berth_device* device, const berth_memory* memory, uint64_t offset, uint64_t bytes, uint8_t value,
                     berth_error* error) BERTH_NOEXCEPT;
} berth_fill_group;

BERTH_SIZE(berth_fill_group, 8);
BERTH_AT(berth_fill_group, fill, 0);

#define BERTH_INFO_FREE UINT32_C(1)
#define BERTH_INFO_TOTAL UINT32_C(2)
#define BERTH_INFO_USED UINT32_C(4)

/* Figures of one heap. A figure that is unknown has its bit clear; zero is a figure. free <= total. */
typedef struct berth_memory_info {
  uint64_t struct_size;
  uint32_t valid; /* BERTH_INFO_* */
  uint32_t reserved;
  uint64_t free_bytes;  /* what allocate could still get, as far as is known; others may take it meanwhile */
  uint64_t total_bytes; /* as in the heap's properties */
  uint64_t used_bytes;  /* taken by this instance on this ordinal, rounding included */
} berth_memory_info;

#define BERTH_MEMORY_INFO_1_0 UINT64_C(40)
BERTH_SIZE(berth_memory_info, BERTH_MEMORY_INFO_1_0);
BERTH_AT(berth_memory_info, struct_size, 0);
BERTH_AT(berth_memory_info, valid, 8);
BERTH_AT(berth_memory_info, reserved, 12);
BERTH_AT(berth_memory_info, free_bytes, 16);
BERTH_AT(berth_memory_info, total_bytes, 24);
BERTH_AT(berth_memory_info, used_bytes, 32);

typedef struct berth_memory_info_group {
  /* Thread: any. State: device open. Errors: INVALID_ARGUMENT (heap not below heap_count, capacity too short). */
  berth_code (*memory_info)(berth_device* device, uint32_t heap, berth_memory_info* out_info,
                            berth_error* error) BERTH_NOEXCEPT;
} berth_memory_info_group;

BERTH_SIZE(berth_memory_info_group, 8);
BERTH_AT(berth_memory_info_group, memory_info, 0);

/* ---- Staging (EXPERIMENTAL) -------------------------------------------------------------------------------------- */

typedef struct berth_host_allocate_args {
  uint64_t struct_size;
  uint64_t size;
  uint64_t alignment; /* 0 (64 bytes) or a power of two up to 4096 */
  uint32_t flags;     /* none defined: zero */
  uint32_t reserved;
} berth_host_allocate_args;

#define BERTH_HOST_ALLOCATE_ARGS_1_0 UINT64_C(32)
BERTH_SIZE(berth_host_allocate_args, BERTH_HOST_ALLOCATE_ARGS_1_0);
BERTH_AT(berth_host_allocate_args, struct_size, 0);
BERTH_AT(berth_host_allocate_args, size, 8);
BERTH_AT(berth_host_allocate_args, alignment, 16);
BERTH_AT(berth_host_allocate_args, flags, 24);
BERTH_AT(berth_host_allocate_args, reserved, 28);

typedef struct berth_staging_group {
  /* Host memory from which this device copies without blocking. Size 0: OK and a null pointer.
   * Thread: any. State: device open.
   * Errors: INVALID_ARGUMENT (alignment, args too short), NOT_UNDERSTOOD (flag or tail), OUT_OF_PINNED_MEMORY. */
  berth_code (*host_allocate)(berth_device* device, const berth_host_allocate_args* args, void** out_pointer,
                              berth_error* error) BERTH_NOEXCEPT;

  /* Gives it back. Null is OK. Always consumes the pointer. The caller guarantees that nothing uses it.
   * Thread: any. State: device open, lost or not. Errors: none of its own. */
  berth_code (*host_free)(berth_device* device, void* pointer, berth_error* error) BERTH_NOEXCEPT;
} berth_staging_group;

BERTH_SIZE(berth_staging_group, 16);
BERTH_AT(berth_staging_group, host_allocate, 0);
BERTH_AT(berth_staging_group, host_free, 8);

/* ---- Queues and events ------------------------------------------------------------------------------------------- */

#define BERTH_WAIT_FOREVER UINT64_MAX

typedef struct berth_queue_args {
  uint64_t struct_size;
  uint32_t flags; /* none defined: zero */
  uint32_t reserved;
} berth_queue_args;

#define BERTH_QUEUE_ARGS_1_0 UINT64_C(16)
BERTH_SIZE(berth_queue_args, BERTH_QUEUE_ARGS_1_0);
BERTH_AT(berth_queue_args, struct_size, 0);
BERTH_AT(berth_queue_args, flags, 8);
BERTH_AT(berth_queue_args, reserved, 12);

/* Work of a queue runs in the order of the calls. Operands, host memory included, are read and written in that order
 * and must live until an event recorded after the call has completed, or the queue was synchronised or destroyed.
 * A failure of work shows in every later event and synchronize of that queue as EARLIER_WORK, with the text of the
 * first failure; a call that finds the queue failed may answer EARLIER_WORK too and submits nothing then. */
typedef struct berth_queue_group {
  /* Thread: any. State: device open.
   * Errors: INVALID_ARGUMENT (args too short), NOT_UNDERSTOOD (flag or tail), OUT_OF_DEVICE_MEMORY. */
  berth_code (*create)(berth_device* device, const berth_queue_args* args, berth_queue** out_queue,
                       berth_error* error) BERTH_NOEXCEPT;

  /* Waits for the work of the queue, then ends it; its events live on. Always consumes the queue. Failures of its
   * work are not reported here.
   * Thread: queue. State: queue alive, device lost or not. Errors: none of its own. */
  berth_code (*destroy)(berth_queue* queue, berth_error* error) BERTH_NOEXCEPT;

  /* Enqueues a copy from the host. Host memory that is not from host_allocate may make the call block.
   * Thread: queue. State: queue alive. Errors: EARLIER_WORK, OUT_OF_PINNED_MEMORY. */
  berth_code (*copy_to_device)(berth_queue* queue, const berth_memory* to, uint64_t to_offset, const void* from,
                               uint64_t bytes, berth_error* error) BERTH_NOEXCEPT;

  /* Enqueues a copy to the host. As copy_to_device. */
  berth_code (*copy_to_host)(berth_queue* queue, const berth_memory* from, uint64_t from_offset, void* to,
                             uint64_t bytes, berth_error* error) BERTH_NOEXCEPT;

  /* Enqueues a copy between memories of the queue's device.
   * Thread: queue. State: queue alive. Errors: EARLIER_WORK. */
  berth_code (*copy_within)(berth_queue* queue, const berth_memory* to, uint64_t to_offset, const berth_memory* from,
                            uint64_t from_offset, uint64_t bytes, berth_error* error) BERTH_NOEXCEPT;

  /* Enqueues a fill. Thread: queue. State: queue alive. Errors: EARLIER_WORK. */
  berth_code (*fill)(berth_queue* queue, const berth_memory* memory, uint64_t offset, uint64_t bytes, uint8_t value,
                     berth_error* error) BERTH_NOEXCEPT;

  /* Makes a one-shot event that completes when all work enqueued so far has, and submits that work: progress needs
   * no further call. An unrecorded event can't exist.
   * Thread: queue. State: queue alive. Errors: none of its own; on a failed queue it succeeds and the event fails. */
  berth_code (*record)(berth_queue* queue, berth_event** out_event, berth_error* error) BERTH_NOEXCEPT;

  /* Makes later work of the queue wait for an event of the same device, or of another where can_wait says so. If the
   * event fails, the queue fails with EARLIER_WORK. The event may be destroyed right after this call.
   * Thread: queue. State: queue and event alive.
   * Errors: EARLIER_WORK, FAILED_PRECONDITION (can_wait answers no). */
  berth_code (*wait)(berth_queue* queue, berth_event* event, berth_error* error) BERTH_NOEXCEPT;

  /* Answers 1 if `wait` works for this pair, else 0 and the host bridges it. Events of the same device: always 1.
   * Both are of the same instance.
   * Thread: queue. State: queue and event alive. Errors: none of its own. */
  berth_code (*can_wait)(berth_queue* queue, berth_event* event, uint32_t* out_can, berth_error* error) BERTH_NOEXCEPT;

  /* Waits for all work of the queue. Thread: queue. State: queue alive. Errors: EARLIER_WORK. */
  berth_code (*synchronize)(berth_queue* queue, berth_error* error) BERTH_NOEXCEPT;

  /* Waits up to timeout_ns nanoseconds; 0 polls, BERTH_WAIT_FOREVER has no end. May look once per millisecond.
   * Thread: any. State: event alive, its queue alive or not. Errors: TIMEOUT, EARLIER_WORK. */
  berth_code (*event_wait)(berth_event* event, uint64_t timeout_ns, berth_error* error) BERTH_NOEXCEPT;

  /* BERTH_OK when complete, BERTH_NOT_READY when not. Never blocks.
   * Thread: any. State: event alive, its queue alive or not. Errors: EARLIER_WORK. */
  berth_code (*event_query)(berth_event* event, berth_error* error) BERTH_NOEXCEPT;

  /* Ends an event, complete or not. Always consumes it.
   * Thread: any, but nothing else may use the event meanwhile. State: event alive, device open, lost or not.
   * Errors: none of its own. */
  berth_code (*event_destroy)(berth_event* event, berth_error* error) BERTH_NOEXCEPT;
} berth_queue_group;

BERTH_SIZE(berth_queue_group, 104);
BERTH_AT(berth_queue_group, create, 0);
BERTH_AT(berth_queue_group, destroy, 8);
BERTH_AT(berth_queue_group, copy_to_device, 16);
BERTH_AT(berth_queue_group, copy_to_host, 24);
BERTH_AT(berth_queue_group, copy_within, 32);
BERTH_AT(berth_queue_group, fill, 40);
BERTH_AT(berth_queue_group, record, 48);
BERTH_AT(berth_queue_group, wait, 56);
BERTH_AT(berth_queue_group, can_wait, 64);
BERTH_AT(berth_queue_group, synchronize, 72);
BERTH_AT(berth_queue_group, event_wait, 80);
BERTH_AT(berth_queue_group, event_query, 88);
BERTH_AT(berth_queue_group, event_destroy, 96);

/* ---- Stream-ordered memory (EXPERIMENTAL) ------------------------------------------------------------------------ */

typedef struct berth_async_group {
  /* As allocate, but usable by work enqueued on this queue from now on, and elsewhere after an event of it.
   * Thread: queue. State: queue alive. Errors: those of allocate, EARLIER_WORK. */
  berth_code (*allocate_on)(berth_queue* queue, const berth_allocate_args* args, berth_memory* out_memory,
                            berth_error* error) BERTH_NOEXCEPT;

  /* As free, once the work enqueued on this queue so far is done. Memory from allocate is accepted too. Consumes the
   * handle at once.
   * Thread: queue. State: queue alive, device lost or not. Errors: those of free. */
  berth_code (*free_on)(berth_queue* queue, const berth_memory* memory, berth_error* error) BERTH_NOEXCEPT;
} berth_async_group;

BERTH_SIZE(berth_async_group, 16);
BERTH_AT(berth_async_group, allocate_on, 0);
BERTH_AT(berth_async_group, free_on, 8);

/* ---- Peers ------------------------------------------------------------------------------------------------------- */

typedef struct berth_peer_group {
  /* Answers 1 if copy_between works from `from` to `to`, else 0. Both are of the same instance. Changes nothing:
   * access is enabled on demand by the first copy.
   * Thread: any. State: both devices open. Errors: none of its own. */
  berth_code (*can_access)(berth_device* to, berth_device* from, uint32_t* out_can, berth_error* error) BERTH_NOEXCEPT;

  /* Copies between memories of two devices of one instance. Done at return, at any byte.
   * Thread: any. State: both devices open. Errors: FAILED_PRECONDITION (can_access answers no). */
  berth_code (*copy_between)(berth_device* to_device, const berth_memory* to, uint64_t to_offset,
                             berth_device* from_device, const berth_memory* from, uint64_t from_offset, uint64_t bytes,
                             berth_error* error) BERTH_NOEXCEPT;
} berth_peer_group;

BERTH_SIZE(berth_peer_group, 16);
BERTH_AT(berth_peer_group, can_access, 0);
BERTH_AT(berth_peer_group, copy_between, 8);

/* EXPERIMENTAL. */
typedef struct berth_queue_peer_group {
  /* Enqueues copy_between; the queue belongs to either device.
   * Thread: queue. State: queue alive, both devices open.
   * Errors: EARLIER_WORK, FAILED_PRECONDITION (can_access answers no). */
  berth_code (*copy_between)(berth_queue* queue, berth_device* to_device, const berth_memory* to, uint64_t to_offset,
                             berth_device* from_device, const berth_memory* from, uint64_t from_offset, uint64_t bytes,
                             berth_error* error) BERTH_NOEXCEPT;
} berth_queue_peer_group;

BERTH_SIZE(berth_queue_peer_group, 8);
BERTH_AT(berth_queue_peer_group, copy_between, 0);

/* ---- Maps (EXPERIMENTAL) ----------------------------------------------------------------------------------------- */

#define BERTH_MAP_READ UINT32_C(1)
#define BERTH_MAP_WRITE UINT32_C(2)
#define BERTH_MAP_DISCARD UINT32_C(4) /* with WRITE and without READ: earlier contents of the range may be lost */

typedef struct berth_map_args {
  uint64_t struct_size;
  const berth_memory* memory;
  uint64_t offset;
  uint64_t bytes;
  uint32_t flags; /* BERTH_MAP_*, READ or WRITE at least */
  uint32_t reserved;
} berth_map_args;

#define BERTH_MAP_ARGS_1_0 UINT64_C(40)
BERTH_SIZE(berth_map_args, BERTH_MAP_ARGS_1_0);
BERTH_AT(berth_map_args, struct_size, 0);
BERTH_AT(berth_map_args, memory, 8);
BERTH_AT(berth_map_args, offset, 16);
BERTH_AT(berth_map_args, bytes, 24);
BERTH_AT(berth_map_args, flags, 32);
BERTH_AT(berth_map_args, reserved, 36);

typedef struct berth_map_group {
  /* A host pointer to a range of device memory: the one exception to "the host never dereferences device memory".
   * No device use of the range meanwhile, copies included. Disjoint ranges may be mapped together if they lie apart
   * by map_granularity. Offset 0 gives a pointer that is 64-aligned. Zero bytes: OK and a null pointer.
   * Thread: any. State: device open.
   * Errors: FAILED_PRECONDITION (the kind is not host visible), INVALID_ARGUMENT (neither READ nor WRITE, DISCARD
   * with READ or without WRITE, args too short), NOT_UNDERSTOOD (flag or tail). */
  berth_code (*map)(berth_device* device, const berth_map_args* args, void** out_pointer,
                    berth_error* error) BERTH_NOEXCEPT;

  /* Publishes what was written and ends the map. Null is OK. Always consumes the pointer.
   * Thread: any. State: device open, lost or not. Errors: none of its own. */
  berth_code (*unmap)(berth_device* device, void* pointer, berth_error* error) BERTH_NOEXCEPT;
} berth_map_group;

BERTH_SIZE(berth_map_group, 16);
BERTH_AT(berth_map_group, map, 0);
BERTH_AT(berth_map_group, unmap, 8);

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* Static and constant, valid while the file is mapped. Pointers are appended, never moved; null means absent, and so
 * does a struct_size that ends before. Groups are frozen: a later function is a group of its own. */
typedef struct berth_table {
  uint64_t struct_size;
  const berth_instance_group* instance; /* required */
  const berth_device_group* device;     /* required */
  const berth_memory_group* memory;     /* required */
  const berth_copy_group* copy;         /* required */
  const berth_copy_within_group* copy_within;
  const berth_fill_group* fill;
  const berth_memory_info_group* memory_info;
  const berth_staging_group* staging;
  const berth_queue_group* queue;
  const berth_async_group* async; /* needs queue */
  const berth_peer_group* peer;
  const berth_queue_peer_group* queue_peer; /* needs queue and peer */
  const berth_map_group* map;
} berth_table;

#define BERTH_TABLE_1_0 UINT64_C(112)
BERTH_SIZE(berth_table, BERTH_TABLE_1_0);
BERTH_AT(berth_table, struct_size, 0);
BERTH_AT(berth_table, instance, 8);
BERTH_AT(berth_table, device, 16);
BERTH_AT(berth_table, memory, 24);
BERTH_AT(berth_table, copy, 32);
BERTH_AT(berth_table, copy_within, 40);
BERTH_AT(berth_table, fill, 48);
BERTH_AT(berth_table, memory_info, 56);
BERTH_AT(berth_table, staging, 64);
BERTH_AT(berth_table, queue, 72);
BERTH_AT(berth_table, async, 80);
BERTH_AT(berth_table, peer, 88);
BERTH_AT(berth_table, queue_peer, 96);
BERTH_AT(berth_table, map, 104);

/* ---- Query: the one exported symbol ------------------------------------------------------------------------------ */

/* Frozen for all majors. */
typedef struct berth_query_args {
  uint64_t struct_size;
  uint32_t abi_major;     /* what the host speaks */
  uint32_t abi_minor_min; /* oldest minor that it still accepts */
  uint32_t abi_minor_max; /* newest minor that it knows */
  uint32_t reserved_word;
  uint64_t reserved[4];
} berth_query_args;

#define BERTH_QUERY_ARGS_1_0 UINT64_C(56)
BERTH_SIZE(berth_query_args, BERTH_QUERY_ARGS_1_0);
BERTH_AT(berth_query_args, struct_size, 0);
BERTH_AT(berth_query_args, abi_major, 8);
BERTH_AT(berth_query_args, abi_minor_min, 12);
BERTH_AT(berth_query_args, abi_minor_max, 16);
BERTH_AT(berth_query_args, reserved_word, 20);
BERTH_AT(berth_query_args, reserved, 24);

#define BERTH_PLUGIN_NAME_BYTES 64
#define BERTH_DEVICE_TYPE_BYTES 32
#define BERTH_PLUGIN_VERSION_BYTES 64
#define BERTH_PLUGIN_VENDOR_BYTES 64

#define BERTH_PLUGIN_DRIVER_STARTS_THREADS UINT32_C(1) /* at count or describe */
#define BERTH_PLUGIN_DRIVER_KEEPS_THREADS UINT32_C(2)  /* after destroy */

/* Frozen for all majors. */
typedef struct berth_plugin_info {
  uint64_t struct_size;
  uint32_t abi_major;     /* equal to the host's */
  uint32_t abi_minor;     /* chosen: the smaller of the two maxima */
  uint32_t abi_minor_min; /* the plugin's own range; equal to its note */
  uint32_t abi_minor_max;
  uint32_t flags; /* BERTH_PLUGIN_* */
  uint32_t reserved_word;
  const berth_table* table;
  char name[BERTH_PLUGIN_NAME_BYTES];        /* "cuda"; equal to its note */
  char device_type[BERTH_DEVICE_TYPE_BYTES]; /* "cuda"; lower-case letters, digits, underscore; equal to its note */
  char version[BERTH_PLUGIN_VERSION_BYTES];  /* of the plugin, free text */
  char vendor[BERTH_PLUGIN_VENDOR_BYTES];    /* who answers for it */
  uint64_t reserved[4];
} berth_plugin_info;

#define BERTH_PLUGIN_INFO_1_0 UINT64_C(296)
BERTH_SIZE(berth_plugin_info, BERTH_PLUGIN_INFO_1_0);
BERTH_AT(berth_plugin_info, struct_size, 0);
BERTH_AT(berth_plugin_info, abi_major, 8);
BERTH_AT(berth_plugin_info, abi_minor, 12);
BERTH_AT(berth_plugin_info, abi_minor_min, 16);
BERTH_AT(berth_plugin_info, abi_minor_max, 20);
BERTH_AT(berth_plugin_info, flags, 24);
BERTH_AT(berth_plugin_info, reserved_word, 28);
BERTH_AT(berth_plugin_info, table, 32);
BERTH_AT(berth_plugin_info, name, 40);
BERTH_AT(berth_plugin_info, device_type, 104);
BERTH_AT(berth_plugin_info, version, 136);
BERTH_AT(berth_plugin_info, vendor, 200);
BERTH_AT(berth_plugin_info, reserved, 264);

#define BERTH_PLUGIN_QUERY_SYMBOL "berth_plugin_query"

/* Says who the plugin is and which functions it has. Pure: touches no device, starts no thread, opens no driver, and
 * answers the same every time. The host checks the answer again.
 * Thread: any. State: mapped.
 * Errors: VERSION_MISMATCH (another major, or ranges of minors that do not meet; both are named), INVALID_ARGUMENT
 * (args or capacity too short, range upside down), NOT_UNDERSTOOD (unknown tail). */
BERTH_EXPORT berth_code berth_plugin_query(const berth_query_args* args, berth_plugin_info* out_info,
                                           berth_error* error) BERTH_NOEXCEPT;

typedef berth_code (*berth_plugin_query_function)(const berth_query_args* args, berth_plugin_info* out_info,
                                                  berth_error* error) BERTH_NOEXCEPT;

/* ---- The ELF note: metadata that is read without running the plugin -----------------------------------------------
 */

#define BERTH_NOTE_SECTION ".note.berth"
#define BERTH_NOTE_OWNER "Berth"
#define BERTH_NOTE_TYPE UINT32_C(1)
#define BERTH_NOTE_LAYOUT UINT32_C(1)
#define BERTH_NOTE_WORD_BYTES 32

/* Required, in a section of this name, 4-aligned, in the byte order of the file. Offsets below are the published
 * layout. Text fields are terminated and zero to their end. It prevents accidents, not attacks. */
typedef struct berth_note {
  uint32_t owner_bytes; /* 6: "Berth" and its terminator */
  uint32_t body_bytes;  /* 304: from `layout` to the end */
  uint32_t type;        /* BERTH_NOTE_TYPE */
  char owner[8];        /* "Berth", zero to the end */
  uint32_t layout;      /* BERTH_NOTE_LAYOUT */
  uint32_t abi_major;   /* these three, name and device_type: equal to what query answers */
  uint32_t abi_minor_min;
  uint32_t abi_minor_max;
  char name[BERTH_PLUGIN_NAME_BYTES];
  char device_type[BERTH_DEVICE_TYPE_BYTES];
  char version[BERTH_PLUGIN_VERSION_BYTES];
  char vendor[BERTH_PLUGIN_VENDOR_BYTES];
  char cpu_baseline[BERTH_NOTE_WORD_BYTES]; /* "x86-64", "x86-64-v2", "-v3", "-v4", "aarch64", or empty: unknown */
  char sanitizer[BERTH_NOTE_WORD_BYTES];    /* "address", "thread", "memory", or empty: none */
} berth_note;

#define BERTH_NOTE_BODY_BYTES UINT32_C(304)

BERTH_SIZE(berth_note, 324);
BERTH_AT(berth_note, owner_bytes, 0);
BERTH_AT(berth_note, body_bytes, 4);
BERTH_AT(berth_note, type, 8);
BERTH_AT(berth_note, owner, 12);
BERTH_AT(berth_note, layout, 20);
BERTH_AT(berth_note, abi_major, 24);
BERTH_AT(berth_note, abi_minor_min, 28);
BERTH_AT(berth_note, abi_minor_max, 32);
BERTH_AT(berth_note, name, 36);
BERTH_AT(berth_note, device_type, 100);
BERTH_AT(berth_note, version, 132);
BERTH_AT(berth_note, vendor, 196);
BERTH_AT(berth_note, cpu_baseline, 260);
BERTH_AT(berth_note, sanitizer, 292);
BERTH_STATIC_ASSERT(sizeof(berth_note) - offsetof(berth_note, layout) == 304, "berth_note has another body");

/* ---- The extension berth.native ---------------------------------------------------------------------------------- */

#define BERTH_NATIVE_NAME "berth.native"
#define BERTH_NATIVE_VERSION UINT32_C(1)
#define BERTH_NATIVE_VALUES 8

/* The API's own objects behind a device, memory or queue, for a delegate that computes on planned memory. Borrowed
 * while the object lives. Values that an API does not list are zero; pointers are cast to uint64_t.
 *
 *   api        device                                            memory                   queue
 *   "cuda"     CUdevice, CUcontext                               CUdeviceptr              CUstream
 *   "opencl"   cl_platform_id, cl_device_id, cl_context          cl_mem                   cl_command_queue
 *   "vulkan"   vkGetInstanceProcAddr, VkInstance,                VkBuffer,                VkQueue, family index,
 *              VkPhysicalDevice, VkDevice,                       VkDeviceMemory,          lock(void *),
 *              const VkPhysicalDeviceFeatures2 *,                offset in it             unlock(void *),
 *              const char *const * of enabled device                                      their argument
 *              extensions, null-terminated, API version
 *   "host"     none                                              pointer                  none
 *
 * A delegate's device work is complete, and visible to the host and to other queues, when the delegate returns or at
 * its queue's next operation. */
typedef struct berth_native_object {
  uint64_t struct_size;
  char api[32]; /* which row */
  uint64_t value[BERTH_NATIVE_VALUES];
} berth_native_object;

#define BERTH_NATIVE_OBJECT_1_0 UINT64_C(104)
BERTH_SIZE(berth_native_object, BERTH_NATIVE_OBJECT_1_0);
BERTH_AT(berth_native_object, struct_size, 0);
BERTH_AT(berth_native_object, api, 8);
BERTH_AT(berth_native_object, value, 40);

/* What get_extension(instance, device, BERTH_NATIVE_NAME, BERTH_NATIVE_VERSION) points to. Frozen for its version. */
typedef struct berth_native {
  /* Thread: any. State: device open. Errors: INVALID_ARGUMENT (capacity too short). */
  berth_code (*device)(berth_device* device, berth_native_object* out_object, berth_error* error) BERTH_NOEXCEPT;

  /* Memory of size 0 has all values zero. Thread: any. State: device open.
   * Errors: INVALID_ARGUMENT (capacity too short). */
  berth_code (*memory)(berth_device* device, const berth_memory* memory, berth_native_object* out_object,
                       berth_error* error) BERTH_NOEXCEPT;

  /* Thread: queue. State: queue alive. Errors: INVALID_ARGUMENT (capacity too short). */
  berth_code (*queue)(berth_queue* queue, berth_native_object* out_object, berth_error* error) BERTH_NOEXCEPT;
} berth_native;

BERTH_SIZE(berth_native, 24);
BERTH_AT(berth_native, device, 0);
BERTH_AT(berth_native, memory, 8);
BERTH_AT(berth_native, queue, 16);

#ifdef __cplusplus
}
#endif

#endif /* BERTH_PLUGIN_H */
