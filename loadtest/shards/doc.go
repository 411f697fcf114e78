// Package shards coordinates the generators of one run through a folder that all of them can read and write. The first
// shard prepares the run and publishes it; when all others have joined it, it sets the moment at which all start. Each
// shard writes what it measured into the folder, as JSON.
//
// Files are written under another name and renamed, so that no reader sees a part of one.
package shards
