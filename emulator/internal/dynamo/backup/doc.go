// Package backup has on-demand backups, point-in-time recovery, and the restores from both.
package backup
