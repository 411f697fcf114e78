package partiql

import (
	"strings"
	"sync"
)

// wordSet returns a function that makes the set of the words in text on its first call.
func wordSet(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			set[word] = true
		}
		return set
	})
}

// keywords are the words that cannot be a name without quotation marks. nubo-db/dynoxide tried 286 words in eu-west-2
// and us-east-1 on 2026-10-09; these were refused.
var keywords = wordSet(`
absolute action add all allocate alter and any are as asc assertion at authorization avg bag begin between bigint bit
bit_length blob bool boolean by can_cast can_lossless_cast cascade cascaded case cast catalog char char_length character
character_length check clob close coalesce collate collation column commit conflict connect connection constraint
constraints continue convert corresponding count create cross current current_date current_time current_timestamp
current_user cursor date date_add date_diff deallocate dec decimal declare default deferrable deferred delete desc
describe descriptor diagnostics disconnect distinct do domain double drop else end escape except exception exec execute
exists external extract false fetch first float for foreign found from full get global go goto grant group having
identity immediate in index indicator initially inner input insensitive insert int integer integer2 integer4 integer8
intersect interval into is isolation join key language last left let level like limit list local lower match max min
missing modified module names national natural nchar new next no not nothing null nullif nulls numeric octet_length of
offset old on only open option or order outer output overlaps pad partial pivot position precision prepare preserve
primary prior privileges procedure public read real references relative remove restrict returning revoke right rollback
rows schema scroll section select session session_user set sexp size smallint some space sql sqlcode sqlerror sqlstate
string struct substring sum symbol system_user table temporary then time timestamp to transaction translate trim true
tuple union unique unknown unpivot update upper usage user using value values varchar varying view when whenever where
with work write zone`)

// functionKeywords are the keywords that name a function if an opening parenthesis follows.
var functionKeywords = wordSet(`avg bit_length cast char_length character_length coalesce count date_add date_diff
exists extract lower max min nullif octet_length position size substring sum translate trim upper`)

// operatorKeywords are the keywords that are operators.
var operatorKeywords = map[string]bool{"and": true, "or": true, "is": true, "in": true, "like": true, "between": true,
	"union": true, "except": true, "intersect": true}

// typeNames are the names of types after IS, with the service's own names for them.
var typeNames = map[string]string{
	"null": "NullType", "missing": "MissingType", "bool": "BooleanType", "boolean": "BooleanType",
	"smallint": "SmallintType", "int": "IntegerType", "integer": "IntegerType", "int2": "SmallintType",
	"integer2": "SmallintType", "int4": "Integer4Type", "integer4": "Integer4Type", "int8": "Integer8Type",
	"integer8": "Integer8Type", "bigint": "Integer8Type", "float": "FloatType", "real": "RealType",
	"double": "DoublePrecisionType", "decimal": "DecimalType", "dec": "DecimalType", "numeric": "NumericType",
	"timestamp": "TimestampType", "date": "DateType", "time": "TimeType", "char": "CharacterType",
	"character": "CharacterType", "varchar": "CharacterVaryingType", "string": "StringType", "symbol": "SymbolType",
	"clob": "ClobType", "blob": "BlobType", "struct": "StructType", "tuple": "TupleType", "list": "ListType",
	"sexp": "SexpType", "bag": "BagType", "any": "AnyType",
}
