package s3

import (
	"fmt"
	"strings"
)

// maxKey is the maximum size of a key in bytes (AWS, "Naming Amazon S3 objects").
const maxKey = 1024

// maxFileName is the maximum size of a file name in bytes on common file systems.
const maxFileName = 255

// maxDepth is the maximum number of segments of a key. S3 has no such limit; without it, a few objects would slow down
// every listing of their bucket.
const maxDepth = 64

// pathOf returns the path of a key's file below its bucket. ok is false for a key that cannot be a file.
func pathOf(key string) (path string, ok bool) {
	if key == "" || len(key) > maxKey {
		return "", false
	}
	parts := strings.Split(key, "/")
	if len(parts) > maxDepth {
		return "", false
	}
	for i, part := range parts {
		if parts[i] = fileName(part); part == "" && i < len(parts)-1 {
			parts[i] = emptyFolder // so that "a//b" and "a/" can both exist
		}
		if len(parts[i]) > maxFileName {
			return "", false
		}
	}
	return strings.Join(parts, "/"), true
}

// emptyFolder is the name of the folder of an empty segment.
const emptyFolder = "%%"

// fileName returns the file name of a segment of a key.
func fileName(segment string) string {
	if segment == "" {
		return "%" // no other segment has this name: % itself is encoded
	}
	var name strings.Builder
	dots := strings.Trim(segment, ".") == ""
	for i := range len(segment) {
		c := segment[i]
		switch {
		case c < ' ', c == 0x7f, strings.IndexByte(`%\:*?"<>|`, c) >= 0, dots,
			i == len(segment)-1 && (c == '.' || c == ' '): // Windows removes trailing ones
			fmt.Fprintf(&name, "%%%02X", c)
		default:
			name.WriteByte(c)
		}
	}
	return name.String()
}

// segmentOf returns the segment of a key for a file name. ok is false if there is none.
func segmentOf(name string) (segment string, ok bool) {
	if name == "%" || name == emptyFolder {
		return "", true
	}
	var text strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '%' {
			text.WriteByte(name[i])
			continue
		}
		if i+2 >= len(name) {
			return "", false
		}
		var c byte
		if _, err := fmt.Sscanf(name[i+1:i+3], "%02X", &c); err != nil {
			return "", false
		}
		text.WriteByte(c)
		i += 2
	}
	segment = text.String()
	return segment, fileName(segment) == name
}

// isBucketName reports whether a bucket name is valid (AWS, "General purpose bucket naming rules"). The service's rules
// about reserved prefixes and suffixes do not apply.
func isBucketName(name string) bool {
	if len(name) < 3 || len(name) > 63 || strings.Contains(name, "..") {
		return false
	}
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || i == len(name)-1 || c != '.' && c != '-') {
			return false
		}
	}
	return true
}
