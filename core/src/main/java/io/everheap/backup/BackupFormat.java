package io.everheap.backup;

/**
 * One kind of backups.
 *
 * @param magic at the start of the file
 * @param version of the sections
 * @param endLength size of the data of the last section
 * @param suffix of the names of files
 */
public record BackupFormat(long magic, int version, int endLength, String suffix) {}
