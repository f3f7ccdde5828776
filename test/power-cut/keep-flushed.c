/*
 * Preloaded into Kith by run.ts. At each flush of a database file it copies the file to its name with
 * `.flushed`: a power cut leaves at least the copies.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".flushed"

static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

static int ends_with(const char *text, const char *end) {
  size_t length = strlen(text), of_end = strlen(end);
  return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

static void copy(const char *from, const char *to) {
  char part[1 << 16];
  ssize_t length;
  int in = open(from, O_RDONLY);
  int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || out < 0) abort();
  while ((length = read(in, part, sizeof part)) > 0)
    if (write(out, part, length) != length) abort();
  close(in);
  close(out);
}

static void keep(int handle) {
  char link[64], file[4096], kept[4200], copied[4300];
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, file, sizeof file - 1);
  if (length < 0) return;
  file[length] = 0;
  if (!ends_with(file, ".sqlite") && !ends_with(file, ".sqlite-wal")) return;
  snprintf(kept, sizeof kept, "%s" ENDING, file);
  snprintf(copied, sizeof copied, "%s.copied", kept);
  pthread_mutex_lock(&keeping);
  copy(file, copied);
  if (rename(copied, kept) != 0) abort();
  pthread_mutex_unlock(&keeping);
}

static int flush(const char *name, int handle) {
  int (*flush_file)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = flush_file(handle);
  if (result == 0) keep(handle);
  return result;
}

int fsync(int handle) { return flush("fsync", handle); }

int fdatasync(int handle) { return flush("fdatasync", handle); }
