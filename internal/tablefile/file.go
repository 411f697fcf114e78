package tablefile

import (
	"slices"
	"strings"
	"time"
)

// File is a description.
type File struct {
	Keys   []Key   `yaml:"keys,omitempty"`
	Tables []Table `yaml:"tables"`
	Alarms []Alarm `yaml:"alarms,omitempty"` // of the whole account, such as of UserErrors
}

// Key is a customer key of KMS.
type Key struct {
	Alias        string            `yaml:"alias"` // begins with alias/
	Description  string            `yaml:"description,omitempty"`
	RotationDays int32             `yaml:"rotation_days,omitempty"` // from 90 to 2560; 0: it is not rotated on schedule
	Tags         map[string]string `yaml:"tags,omitempty"`
}

// Table is a table with all that belongs to it.
type Table struct {
	Name       string            `yaml:"name"`
	Key        KeySchema         `yaml:"key"`
	Attributes map[string]string `yaml:"attributes,omitempty"` // the types of key attributes that are not S: N or B

	Billing    string    `yaml:"billing,omitempty"`    // on-demand, the default, or provisioned
	Throughput *Capacity `yaml:"throughput,omitempty"` // units a second: what is provisioned, or on demand the most
	Class      string    `yaml:"class,omitempty"`      // standard, the default, or infrequent-access

	Indexes []Index `yaml:"indexes,omitempty"`

	TTL          string `yaml:"ttl,omitempty"`           // the attribute of epoch seconds by which items expire
	RecoveryDays int32  `yaml:"recovery_days,omitempty"` // of point-in-time recovery, from 1 to 35; 0: it is off
	// Encryption is owned, the default, by DynamoDB's own key; aws, by the key aws/dynamodb; or by a customer key: its
	// alias (alias/…) or its ARN.
	Encryption         string            `yaml:"encryption,omitempty"`
	Stream             string            `yaml:"stream,omitempty"` // keys-only, new-image, old-image or new-and-old-images; empty: none
	Tags               map[string]string `yaml:"tags,omitempty"`
	DeletionProtection bool              `yaml:"deletion_protection,omitempty"`
	Policy             Policy            `yaml:"policy,omitempty"` // the table's resource policy

	Alarms []Alarm `yaml:"alarms,omitempty"` // on the table's metrics
}

// KeySchema is a primary key.
type KeySchema struct {
	Partition string `yaml:"partition"`
	Sort      string `yaml:"sort,omitempty"`
}

// Capacity is units a second.
type Capacity struct {
	Read  int64 `yaml:"read,omitempty"`
	Write int64 `yaml:"write,omitempty"`
}

// Index is a secondary index.
type Index struct {
	Name       string     `yaml:"name"`
	Key        KeySchema  `yaml:"key"`
	Local      bool       `yaml:"local,omitempty"` // with the table's partition key; it can only be made with the table
	Project    Projection `yaml:"project,omitempty"`
	Throughput *Capacity  `yaml:"throughput,omitempty"` // as the table's
}

// Projection is the attributes that an index has: all, the default, keys, or a list of further ones.
type Projection struct {
	KeysOnly bool
	Include  []string
}

// Alarm is an alarm of CloudWatch on one of DynamoDB's metrics.
type Alarm struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description,omitempty"`
	Metric      string `yaml:"metric"`              // of the namespace AWS/DynamoDB
	Index       string `yaml:"index,omitempty"`     // the metric's of a global index
	Operation   string `yaml:"operation,omitempty"` // the metric's of an operation
	Statistic   string `yaml:"statistic,omitempty"` // Sum, the default, Average, Minimum, Maximum, SampleCount, or p99 and the like
	Period      Period `yaml:"period"`
	When        When   `yaml:"when"`
	Periods     int32  `yaml:"periods,omitempty"`    // that are looked at; 1 by default
	Datapoints  int32  `yaml:"datapoints,omitempty"` // of these that have to be so; all by default
	// Missing is what periods without data count as: missing, the default, breaching, notBreaching or ignore.
	Missing   string   `yaml:"missing,omitempty"`
	Actions   []string `yaml:"actions,omitempty"` // ARNs, such as of an SNS topic, when it goes off
	OKActions []string `yaml:"ok_actions,omitempty"`
}

// Period is a time that a person writes as 5m.
type Period time.Duration

// When is when an alarm goes off: a comparison and a threshold, such as "> 10".
type When struct {
	Operator  string // >, >=, < or <=
	Threshold float64
}

// Policy is a policy's JSON, which a person writes in YAML; empty for none.
type Policy string

// The settings that a file leaves out.
const (
	OnDemand         = "on-demand"
	Provisioned      = "provisioned"
	Standard         = "standard"
	InfrequentAccess = "infrequent-access"
	Owned            = "owned"
	AWSKey           = "aws"
)

// WithPrefix is the file with a prefix before the names of its tables and alarms, as a target may have them; keys and
// their aliases are shared.
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

// WithoutPrefix is the file with the prefix taken off the names that begin with it.
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
