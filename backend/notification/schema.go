package notification

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Version is the version of the schema as implemented: the document of 20 November 2025 (1.0.0) with the event field
// pushAfter and guard documents (1.1.0).
const (
	Version = "1.1.0"
	// Checksum is the checksum of Containers in this version.
	Checksum = "sha256:327f473fa26594a2da9fe59f3d485516d085e2e4b4e14d17d7e0d2f1e938ec1e"
)

// Database is the default name of the database.
const Database = "asora"

// Names of the containers.
const (
	EventsContainer        = "notification_events"
	NotificationsContainer = "notifications"
	PreferencesContainer   = "notification_preferences"
	DevicesContainer       = "device_tokens"
)

// thirtyDays is the documented time to live in seconds, from a document's last write, as the database counts it
// (NT-D5).
const thirtyDays = 30 * 24 * 60 * 60

// Container is a container as the document's Terraform configuration describes it.
type Container struct {
	Name          string   `json:"name"`
	PartitionKey  string   `json:"partition_key_path"`
	Throughput    int32    `json:"throughput"`  // RU/s, manual
	DefaultTTL    int32    `json:"default_ttl"` // seconds from a document's last write; 0: none
	IndexingMode  string   `json:"indexing_mode"`
	IncludedPaths []string `json:"included_paths"`
	ExcludedPaths []string `json:"excluded_paths"`
}

// Containers returns the four containers, in the document's order (NT-O1, NT-R9).
func Containers() []Container {
	container := func(name string, ttl int32) Container {
		return Container{
			Name: name, PartitionKey: partitionKeyPath, Throughput: 400, DefaultTTL: ttl,
			IndexingMode: "consistent", IncludedPaths: []string{"/*"}, ExcludedPaths: []string{`/"_etag"/?`},
		}
	}
	return []Container{
		container(EventsContainer, thirtyDays), container(NotificationsContainer, thirtyDays),
		container(PreferencesContainer, 0), container(DevicesContainer, 0),
	}
}

// ContainersChecksum returns the checksum of the current Containers.
func ContainersChecksum() string {
	text, _ := json.Marshal(Containers()) // of strings and numbers: cannot fail
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}
