/* SPDX-License-Identifier: Apache-2.0
 *
 * berth/plugin_helper.h: what every plugin needs to obey the rules of berth/plugin.h, header-only, C11.
 *
 *   berth_fail...       write an error and answer its code
 *   berth_read_args     read an in-struct of a host that may be older or newer
 *   berth_answer        fill an out-struct of a host that may be older or newer
 *   berth_option_...    check the type and range of an option
 *   BERTH_PLUGIN_NOTE   put the metadata into the file
 *   berth_answer_query  negotiate the version and answer with the same metadata
 *
 * A plugin is free not to use it: the contract is berth/plugin.h alone. All functions may be called from any thread. */
#ifndef BERTH_PLUGIN_HELPER_H
#define BERTH_PLUGIN_HELPER_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "berth/plugin.h"

#if defined(__GNUC__)
#define BERTH_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define BERTH_PRINTF(format_index, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Text -------------------------------------------------------------------------------------------------------- */

/* Ends text at `length` bytes or before, never inside a UTF-8 sequence. */
static inline size_t berth_text_cut(const char* text, size_t length) {
  while (length > 0 && ((unsigned char)text[length] & 0xC0U) == 0x80U) --length;
  return length;
}

/* Copies text into a fixed array of capacity bytes: terminated, zero to the end, cut if too long. */
static inline void berth_set_text(char* out, size_t capacity, const char* text) {
  size_t length = strlen(text);
  if (length >= capacity) length = berth_text_cut(text, capacity - 1);
  memcpy(out, text, length);
  memset(out + length, 0, capacity - length);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* Writes every field of error and returns code. Text that is too long is cut, never inside a UTF-8 sequence. */
static inline berth_code berth_fail_va(berth_error* error, berth_code code, uint32_t flags, int64_t native_code,
                                       int32_t option_index, const char* format, va_list args) {
  int written;
  error->code = code;
  error->flags = flags;
  error->native_code = native_code;
  error->option_index = option_index;
  error->reserved = 0;
  written = vsnprintf(error->message, BERTH_MESSAGE_BYTES, format, args);
  if (written < 0) {
    error->message[0] = '\0';
  } else if (written >= BERTH_MESSAGE_BYTES) {
    /* The sequence that was cut starts at the last lead byte; keep it only if it is whole. */
    size_t start = BERTH_MESSAGE_BYTES - 2;
    unsigned char lead;
    while (start > 0 && ((unsigned char)error->message[start] & 0xC0U) == 0x80U) --start;
    lead = (unsigned char)error->message[start];
    if (lead >= 0xC0U) {
      size_t length = lead >= 0xF0U ? 4U : lead >= 0xE0U ? 3U : 2U;
      if (start + length > BERTH_MESSAGE_BYTES - 1) error->message[start] = '\0';
    }
  }
  return code;
}

/* An error without a code of the driver. */
BERTH_PRINTF(3, 4)
static inline berth_code berth_fail(berth_error* error, berth_code code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  berth_fail_va(error, code, 0, 0, -1, format, args);
  va_end(args);
  return code;
}

/* An error with BERTH_ERROR_* flags and the driver's own code. */
BERTH_PRINTF(5, 6)
static inline berth_code berth_fail_native(berth_error* error, berth_code code, uint32_t flags, int64_t native_code,
                                           const char* format, ...) {
  va_list args;
  va_start(args, format);
  berth_fail_va(error, code, flags, native_code, -1, format, args);
  va_end(args);
  return code;
}

/* An error at option number `index`, so that the host can say where it stands in its file. */
BERTH_PRINTF(4, 5)
static inline berth_code berth_fail_option(berth_error* error, berth_code code, uint64_t index, const char* format,
                                           ...) {
  va_list args;
  va_start(args, format);
  berth_fail_va(error, code, 0, 0, (int32_t)index, format, args);
  va_end(args);
  return code;
}

/* ---- Structs that grow ------------------------------------------------------------------------------------------- */

/* Copies an in-struct into `known` (known_bytes long), as this plugin knows it: fields that the caller lacks are zero.
 * least is the struct's size in 1.0, what its name for the text.
 * Errors: INVALID_ARGUMENT (shorter than least), NOT_UNDERSTOOD (an unknown tail that is not zero). */
static inline berth_code berth_read_args(void* known, size_t known_bytes, const void* args, uint64_t least,
                                         const char* what, berth_error* error) {
  uint64_t given;
  uint64_t i;
  memcpy(&given, args, sizeof(given));
  if (given < least)
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "%s: struct_size is %" PRIu64 ", expected at least %" PRIu64, what,
                      given, least);
  for (i = known_bytes; i < given; ++i)
    if (((const unsigned char*)args)[i] != 0)
      return berth_fail(error, BERTH_NOT_UNDERSTOOD,
                        "%s: byte %" PRIu64 " is set, and this plugin knows only %zu bytes of it", what, i,
                        known_bytes);
  memset(known, 0, known_bytes);
  memcpy(known, args, given < known_bytes ? (size_t)given : known_bytes);
  return BERTH_OK;
}

/* BERTH_READ_ARGS(known, args, BERTH_ALLOCATE_ARGS_1_0, error): berth_read_args for a local struct. */
#define BERTH_READ_ARGS(known, args, least, error) \
  berth_read_args(&(known), sizeof(known), (args), (least), #args, (error))

/* Refuses flags outside `known`. Errors: NOT_UNDERSTOOD. */
static inline berth_code berth_check_flags(uint32_t flags, uint32_t known, const char* what, berth_error* error) {
  if ((flags & ~known) == 0) return BERTH_OK;
  return berth_fail(error, BERTH_NOT_UNDERSTOOD, "%s: flags 0x%" PRIx32 " are unknown, known are 0x%" PRIx32, what,
                    flags & ~known, known);
}

/* Fills an out-struct from `full` (full_bytes long, struct_size ignored) as far as the caller's capacity goes and
 * writes back how much was filled. On failure the out-struct is left as it was.
 * Errors: INVALID_ARGUMENT (capacity shorter than in 1.0). */
static inline berth_code berth_answer(void* out, const void* full, size_t full_bytes, uint64_t least, const char* what,
                                      berth_error* error) {
  uint64_t capacity;
  memcpy(&capacity, out, sizeof(capacity));
  if (capacity < least)
    return berth_fail(error, BERTH_INVALID_ARGUMENT,
                      "%s: struct_size offers %" PRIu64 " bytes, expected at least %" PRIu64, what, capacity, least);
  if (capacity > full_bytes) capacity = full_bytes;
  memcpy((unsigned char*)out + sizeof(capacity), (const unsigned char*)full + sizeof(capacity),
         (size_t)capacity - sizeof(capacity));
  memcpy(out, &capacity, sizeof(capacity));
  return BERTH_OK;
}

/* BERTH_ANSWER(out_info, full, BERTH_MEMORY_INFO_1_0, error): berth_answer from a local struct. */
#define BERTH_ANSWER(out, full, least, error) berth_answer((out), &(full), sizeof(full), (least), #out, (error))

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The name of a BERTH_OPTION_* type. */
static inline const char* berth_option_type_name(uint32_t type) {
  switch (type) {
    case BERTH_OPTION_BOOL:
      return "bool";
    case BERTH_OPTION_INT:
      return "int";
    case BERTH_OPTION_DOUBLE:
      return "double";
    case BERTH_OPTION_STRING:
      return "string";
    default:
      return "unknown";
  }
}

/* Errors: NOT_UNDERSTOOD (another type). */
static inline berth_code berth_option_expect(const berth_option* options, uint64_t index, uint32_t type,
                                             berth_error* error) {
  if (options[index].type == type) return BERTH_OK;
  return berth_fail_option(error, BERTH_NOT_UNDERSTOOD, index, "option '%s': expected %s, found %s", options[index].key,
                           berth_option_type_name(type), berth_option_type_name(options[index].type));
}

/* Errors: NOT_UNDERSTOOD (another type). */
static inline berth_code berth_option_bool(const berth_option* options, uint64_t index, uint32_t* out_value,
                                           berth_error* error) {
  berth_code code = berth_option_expect(options, index, BERTH_OPTION_BOOL, error);
  if (code == BERTH_OK) *out_value = options[index].value.boolean != 0;
  return code;
}

/* Errors: NOT_UNDERSTOOD (another type), INVALID_ARGUMENT (outside least to most). */
static inline berth_code berth_option_int(const berth_option* options, uint64_t index, int64_t least, int64_t most,
                                          int64_t* out_value, berth_error* error) {
  int64_t value;
  berth_code code = berth_option_expect(options, index, BERTH_OPTION_INT, error);
  if (code != BERTH_OK) return code;
  value = options[index].value.integer;
  if (value < least || value > most)
    return berth_fail_option(error, BERTH_INVALID_ARGUMENT, index,
                             "option '%s': expected %" PRId64 " to %" PRId64 ", found %" PRId64, options[index].key,
                             least, most, value);
  *out_value = value;
  return BERTH_OK;
}

/* Borrowed until the call returns. Errors: NOT_UNDERSTOOD (another type). */
static inline berth_code berth_option_string(const berth_option* options, uint64_t index, const char** out_value,
                                             berth_error* error) {
  berth_code code = berth_option_expect(options, index, BERTH_OPTION_STRING, error);
  if (code == BERTH_OK) *out_value = options[index].value.string;
  return code;
}

/* Errors: always NOT_UNDERSTOOD. known names the options that there are, for the text. */
static inline berth_code berth_option_unknown(const berth_option* options, uint64_t index, const char* known,
                                              berth_error* error) {
  return berth_fail_option(error, BERTH_NOT_UNDERSTOOD, index, "unknown option '%s'; known are: %s", options[index].key,
                           known);
}

/* ---- The note and the query -------------------------------------------------------------------------------------- */

/* What the compiler may use of the processor. */
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define BERTH_CPU_BASELINE "x86-64-v4"
#elif defined(__AVX__) || defined(__AVX2__) || defined(__FMA__)
#define BERTH_CPU_BASELINE "x86-64-v3"
#elif defined(__SSE3__) || defined(__SSE4_2__)
#define BERTH_CPU_BASELINE "x86-64-v2"
#elif defined(__x86_64__)
#define BERTH_CPU_BASELINE "x86-64"
#elif defined(__aarch64__)
#define BERTH_CPU_BASELINE "aarch64"
#else
#define BERTH_CPU_BASELINE ""
#endif

#if defined(__has_feature)
#define BERTH_HAS_FEATURE(name) __has_feature(name)
#else
#define BERTH_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || BERTH_HAS_FEATURE(address_sanitizer)
#define BERTH_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__) || BERTH_HAS_FEATURE(thread_sanitizer)
#define BERTH_SANITIZER "thread"
#elif BERTH_HAS_FEATURE(memory_sanitizer)
#define BERTH_SANITIZER "memory"
#else
#define BERTH_SANITIZER ""
#endif

/* clang's address sanitizer would put a redzone behind the note and corrupt the section. */
#if defined(__clang__)
#define BERTH_NOTE_ATTRIBUTES __attribute__((section(BERTH_NOTE_SECTION), used, aligned(4), no_sanitize("address")))
#else
#define BERTH_NOTE_ATTRIBUTES __attribute__((section(BERTH_NOTE_SECTION), used, aligned(4)))
#endif

/* Defines the note of this file: once per plugin, at file scope, with string literals, followed by a semicolon. It is
 * also the source of what berth_answer_query says. minor_min is the oldest host's minor that the plugin works with. */
#define BERTH_PLUGIN_NOTE(plugin_name, plugin_device_type, plugin_version, plugin_vendor, minor_min)             \
  static const berth_note berth_plugin_note BERTH_NOTE_ATTRIBUTES = {                                            \
      sizeof(BERTH_NOTE_OWNER), BERTH_NOTE_BODY_BYTES, BERTH_NOTE_TYPE,    BERTH_NOTE_OWNER, BERTH_NOTE_LAYOUT,  \
      BERTH_ABI_MAJOR,          (minor_min),           BERTH_ABI_MINOR,    plugin_name,      plugin_device_type, \
      plugin_version,           plugin_vendor,         BERTH_CPU_BASELINE, BERTH_SANITIZER}

/* Answers berth_plugin_query from the note: checks args, chooses the newest common minor, fills out_info.
 * flags are BERTH_PLUGIN_*. Errors: those of berth_plugin_query. */
static inline berth_code berth_answer_query(const berth_note* note, const berth_table* table, uint32_t flags,
                                            const berth_query_args* args, berth_plugin_info* out_info,
                                            berth_error* error) {
  berth_query_args known;
  berth_plugin_info full;
  berth_code code = BERTH_READ_ARGS(known, args, BERTH_QUERY_ARGS_1_0, error);
  if (code != BERTH_OK) return code;
  if (known.abi_minor_min > known.abi_minor_max)
    return berth_fail(error, BERTH_INVALID_ARGUMENT, "args: abi_minor_min %" PRIu32 " is above abi_minor_max %" PRIu32,
                      known.abi_minor_min, known.abi_minor_max);
  if (known.abi_major != note->abi_major || known.abi_minor_max < note->abi_minor_min ||
      known.abi_minor_min > note->abi_minor_max)
    return berth_fail(error, BERTH_VERSION_MISMATCH,
                      "plugin %s speaks ABI %" PRIu32 ".%" PRIu32 " to %" PRIu32 ".%" PRIu32 ", the host %" PRIu32
                      ".%" PRIu32 " to %" PRIu32 ".%" PRIu32,
                      note->name, note->abi_major, note->abi_minor_min, note->abi_major, note->abi_minor_max,
                      known.abi_major, known.abi_minor_min, known.abi_major, known.abi_minor_max);
  memset(&full, 0, sizeof(full));
  full.abi_major = note->abi_major;
  full.abi_minor = note->abi_minor_max < known.abi_minor_max ? note->abi_minor_max : known.abi_minor_max;
  full.abi_minor_min = note->abi_minor_min;
  full.abi_minor_max = note->abi_minor_max;
  full.flags = flags;
  full.table = table;
  berth_set_text(full.name, sizeof(full.name), note->name);
  berth_set_text(full.device_type, sizeof(full.device_type), note->device_type);
  berth_set_text(full.version, sizeof(full.version), note->version);
  berth_set_text(full.vendor, sizeof(full.vendor), note->vendor);
  return BERTH_ANSWER(out_info, full, BERTH_PLUGIN_INFO_1_0, error);
}

#ifdef __cplusplus
}
#endif

#endif /* BERTH_PLUGIN_HELPER_H */
