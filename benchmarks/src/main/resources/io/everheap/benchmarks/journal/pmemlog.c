/*
 * The peer in C: the same loop on libpmemlog, and its calls through JNI.
 *
 * As a program it obeys lines on its standard input, like the other subjects: "framed N", "plain N",
 * and answers "ok seconds=S".
 */
#include <jni.h>
#include <libpmemlog.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>

static PMEMlogpool *open_log(const char *path, size_t size)
{
    PMEMlogpool *log = pmemlog_create(path, size, 0600);
    return log != NULL ? log : pmemlog_open(path);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int append(PMEMlogpool *log, const char *text, uint32_t length, int framed)
{
    if (!framed)
        return pmemlog_append(log, text, length);
    struct iovec parts[2] = {{&length, sizeof length}, {(void *)text, length}};
    return pmemlog_appendv(log, parts, 2);
}

#ifndef AS_LIBRARY
int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    PMEMlogpool *log = open_log(argv[1], strtoull(argv[2], NULL, 10));
    if (log == NULL) {
        printf("failed %s\n", pmemlog_errormsg());
        return 1;
    }
    printf("ok\n");
    fflush(stdout);
    char line[100];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int framed = strncmp(line, "framed", 6) == 0;
        long count = strtol(strchr(line, ' '), NULL, 10);
        pmemlog_rewind(log);
        double start = now();
        for (long i = 0; i < count; i++) {
            char text[64];
            int length = snprintf(text, sizeof text, "This is the %ldth string appended", i);
            if (append(log, text, length, framed) != 0) {
                printf("failed %s\n", pmemlog_errormsg());
                return 1;
            }
        }
        printf("ok seconds=%.9f\n", now() - start);
        fflush(stdout);
    }
    pmemlog_close(log);
    return 0;
}
#else
#define NATIVE(name) Java_io_everheap_benchmarks_journal_PmemLogJni_##name

JNIEXPORT jlong JNICALL NATIVE(open)(JNIEnv *env, jclass type, jstring path, jlong size)
{
    (void)type;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    PMEMlogpool *log = open_log(name, size);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return (jlong)log;
}

JNIEXPORT jint JNICALL NATIVE(append)(JNIEnv *env, jclass type, jlong log, jbyteArray text)
{
    (void)type;
    char bytes[256];
    jsize length = (*env)->GetArrayLength(env, text);
    if (length > (jsize)sizeof bytes)
        return -1;
    (*env)->GetByteArrayRegion(env, text, 0, length, (jbyte *)bytes);
    return append((PMEMlogpool *)log, bytes, length, 1);
}

JNIEXPORT void JNICALL NATIVE(rewind)(JNIEnv *env, jclass type, jlong log)
{
    (void)env;
    (void)type;
    pmemlog_rewind((PMEMlogpool *)log);
}

JNIEXPORT void JNICALL NATIVE(close)(JNIEnv *env, jclass type, jlong log)
{
    (void)env;
    (void)type;
    pmemlog_close((PMEMlogpool *)log);
}
#endif
