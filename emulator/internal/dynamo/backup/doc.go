// Package backup has backups on demand, point-in-time recovery, and the tables that are restored from either.
package backup
