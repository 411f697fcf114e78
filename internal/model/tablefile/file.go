package tablefile

import (
	"slices"
	"strings"
	"time"
)

// File is a parsed description.
type File struct {
	Keys   []Key   `yaml:"keys,omitempty"`
	Tables []Table `yaml:"tables"`
	Alarms []Alarm `yaml:"alarms,omitempty"` // of the account, such as on UserErrors
}

// Key is a customer managed KMS key.
type Key struct {
	Alias        string            `yaml:"alias"` // has the prefix alias/
	Description  string            `yaml:"description,omitempty"`
	RotationDays int32             `yaml:"rotation_days,omitempty"` // from 90 to 2560; 0: no scheduled rotation
	Tags         map[string]string `yaml:"tags,omitempty"`
}

// Table is a table with everything that belongs to it.
type Table struct {
	Name       string            `yaml:"name"`
	Key        KeySchema         `yaml:"key"`
	Attributes map[string]string `yaml:"attributes,omitempty"` // types of key attributes other than S: N or B

	Billing    string    `yaml:"billing,omitempty"`    // on-demand, the default, or provisioned
	Throughput *Capacity `yaml:"throughput,omitempty"` // units per second: provisioned, or the maximum of on-demand
	Class      string    `yaml:"class,omitempty"`      // standard, the default, or infrequent-access

	Indexes []Index `yaml:"indexes,omitempty"`

	TTL          string `yaml:"ttl,omitempty"`           // the attribute with the expiry time, in seconds since 1970
	RecoveryDays int32  `yaml:"recovery_days,omitempty"` // of point-in-time recovery, from 1 to 35; 0: off
	// Encryption is owned, the default, for DynamoDB's own key; aws for the key aws/dynamodb; or a customer managed
	// key: its alias (alias/…) or its ARN.
	Encryption string `yaml:"encryption,omitempty"`
	// keys-only, new-image, old-image or new-and-old-images; empty: none
	Stream             string            `yaml:"stream,omitempty"`
	Tags               map[string]string `yaml:"tags,omitempty"`
	DeletionProtection bool              `yaml:"deletion_protection,omitempty"`
	Policy             Policy            `yaml:"policy,omitempty"` // the table's resource policy

	Alarms []Alarm `yaml:"alarms,omitempty"` // on the table's metrics
}

// KeySchema is a primary key. In a global secondary index both parts may have up to four attributes.
type KeySchema struct {
	Partition KeyAttributes `yaml:"partition"`
	Sort      KeyAttributes `yaml:"sort,omitempty"`
}

// KeyAttributes are the names of key attributes, in order. A single one is written without a list.
type KeyAttributes []string

// Capacity is throughput in units per second.
type Capacity struct {
	Read  int64 `yaml:"read,omitempty"`
	Write int64 `yaml:"write,omitempty"`
}

// Index is a secondary index.
type Index struct {
	Name       string     `yaml:"name"`
	Key        KeySchema  `yaml:"key"`
	Local      bool       `yaml:"local,omitempty"` // has the table's partition key; can only be created with the table
	Project    Projection `yaml:"project,omitempty"`
	Throughput *Capacity  `yaml:"throughput,omitempty"` // as Table.Throughput
}

// Projection is the attributes of an index: all, the default, keys, or a list of additional ones.
type Projection struct {
	KeysOnly bool
	Include  []string
}

// Alarm is a CloudWatch alarm on one of DynamoDB's metrics.
type Alarm struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description,omitempty"`
	Metric      string `yaml:"metric"`              // in the namespace AWS/DynamoDB
	Index       string `yaml:"index,omitempty"`     // dimension of the metric: a global secondary index
	Operation   string `yaml:"operation,omitempty"` // dimension of the metric: an operation
	// Sum, the default, Average, Minimum, Maximum, SampleCount, or a percentile such as p99
	Statistic  string         `yaml:"statistic,omitempty"`
	Period     Period         `yaml:"period"`
	When       AlarmCondition `yaml:"when"`
	Periods    int32          `yaml:"periods,omitempty"`    // evaluation periods; default 1
	Datapoints int32          `yaml:"datapoints,omitempty"` // of these, how many must breach; default all
	// Missing is how missing data is treated: missing, the default, breaching, notBreaching or ignore.
	Missing   string   `yaml:"missing,omitempty"`
	Actions   []string `yaml:"actions,omitempty"` // ARNs of actions for the state ALARM, such as of an SNS topic
	OKActions []string `yaml:"ok_actions,omitempty"`
}

// Period is a duration that is written like 5m.
type Period time.Duration

// AlarmCondition is the condition of an alarm: a comparison and a threshold, such as "> 10".
type AlarmCondition struct {
	Operator  string // >, >=, < or <=
	Threshold float64
}

// Policy is a policy in JSON, which files have in YAML; empty: none.
type Policy string

// Default settings.
const (
	OnDemand         = "on-demand"
	Provisioned      = "provisioned"
	Standard         = "standard"
	InfrequentAccess = "infrequent-access"
	Owned            = "owned"
	AWSKey           = "aws"
)

// WithPrefix returns the file with a prefix before the names of its tables and alarms. Keys and their aliases are not
// prefixed.
func (f *File) WithPrefix(prefix string) *File {
	out := &File{Keys: f.Keys}
	for _, t := range f.Tables {
		t.Name, t.Alarms = prefix+t.Name, prefixed(prefix, t.Alarms)
		out.Tables = append(out.Tables, t)
	}
	out.Alarms = prefixed(prefix, f.Alarms)
	return out
}

func prefixed(prefix string, alarms []Alarm) []Alarm {
	var out []Alarm
	for _, a := range alarms {
		a.Name = prefix + a.Name
		out = append(out, a)
	}
	return out
}

// WithoutPrefix returns the file with the prefix removed from the names that have it.
func (f *File) WithoutPrefix(prefix string) *File {
	out := &File{Keys: f.Keys, Alarms: slices.Clone(f.Alarms)}
	for _, t := range f.Tables {
		t.Name, t.Alarms = strings.TrimPrefix(t.Name, prefix), slices.Clone(t.Alarms)
		for i := range t.Alarms {
			t.Alarms[i].Name = strings.TrimPrefix(t.Alarms[i].Name, prefix)
		}
		out.Tables = append(out.Tables, t)
	}
	for i := range out.Alarms {
		out.Alarms[i].Name = strings.TrimPrefix(out.Alarms[i].Name, prefix)
	}
	return out
}
