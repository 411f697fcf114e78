#!/usr/bin/env bash
# A small shop on DynamoDB with the AWS CLI. It prints a line for each step and exits with status 1 at the first answer that differs
# from the documented one. The CLI reads the endpoint from AWS_ENDPOINT_URL.
set -euo pipefail

table=shop-cli
db() { aws dynamodb "$@" --output text; }

expect() { [ "$1" = "$2" ] || { echo "$2, not $1"; exit 1; }; }

# refused CODE COMMAND… checks that the command fails with this error code.
refused() {
  local code=$1 message
  shift
  if message=$("$@" 2>&1); then echo "not refused with $code"; exit 1; fi
  [[ $message == *"($code)"* ]] || { echo "$message, not $code"; exit 1; }
}

create() {
  db create-table --table-name $table --billing-mode PAY_PER_REQUEST \
    --attribute-definitions AttributeName={customer,id,state},AttributeType=S AttributeName=amount,AttributeType=N \
    --key-schema AttributeName=customer,KeyType=HASH AttributeName=id,KeyType=RANGE \
    --global-secondary-indexes 'IndexName=by-state,Projection={ProjectionType=ALL},KeySchema=[{AttributeName=state,KeyType=HASH},{AttributeName=amount,KeyType=RANGE}]' >/dev/null
  db wait table-exists --table-name $table
  expect ACTIVE "$(db describe-table --table-name $table --query Table.TableStatus)"
  echo "ok: table created"
}

key()    { printf '{"customer":{"S":"%s"},"id":{"S":"%s"}}' "$1" "$2"; }
order()  { printf '{"customer":{"S":"c%d"},"id":{"S":"o%02d"},"state":{"S":"open"},"amount":{"N":"%d"}}' $(($1 % 3)) "$1" $((10 * $1)); }
amount() { db get-item --table-name $table --key "$(key "$1" "$2")" --consistent-read --query Item.amount.N; }

items() {
  local i puts=()
  for i in {0..9}; do puts+=("{\"PutRequest\":{\"Item\":$(order "$i")}}"); done
  db batch-write-item --request-items "{\"$table\":[$(IFS=,; echo "${puts[*]}")]}"
  expect 70 "$(amount c1 o07)"
  expect "" "$(db get-item --table-name $table --key "$(key c0 o07)" --query Item | sed s/None//)"
  refused ConditionalCheckFailedException db put-item --table-name $table --item "$(order 7)" --condition-expression 'attribute_not_exists(id)'
  echo "ok: items written in a batch, read; one of them is not created twice"
}

values='{":paid":{"S":"paid"},":open":{"S":"open"},":fee":{"N":"5"}}'

pay() {
  db update-item --table-name $table --key "$(key "$1" "$2")" --update-expression 'SET #state = :paid, amount = amount + :fee' \
    --condition-expression '#state = :open' --expression-attribute-names '{"#state":"state"}' \
    --expression-attribute-values "$values" --return-values UPDATED_NEW --query 'Attributes.[state.S,amount.N]'
}

update() {
  expect "paid	75" "$(pay c1 o07)"
  refused ConditionalCheckFailedException pay c1 o07
  echo "ok: updated once; its condition does not hold twice"
}

# Two writes of which one is refused: nothing is written.
transaction() {
  local delete='{"Delete":{"TableName":"%s","Key":%s,"ConditionExpression":"amount < :most","ExpressionAttributeValues":{":most":{"N":"50"}}}}'
  # shellcheck disable=SC2059
  refused TransactionCanceledException db transact-write-items \
    --transact-items "[$(printf "$delete" $table "$(key c2 o02)"),$(printf "$delete" $table "$(key c2 o08)")]"
  expect 20 "$(amount c2 o02)"
  echo "ok: a transaction is all or nothing"
}

queries() {
  local pages='{":c":{"S":"c0"}}' names='{"#state":"state"}'
  expect "o00 o03 o06 o09" "$(ids query --key-condition-expression 'customer = :c' --expression-attribute-values "$pages" --page-size 2)"
  expect "o09 o08 o06" "$(ids query --index-name by-state --key-condition-expression '#state = :open AND amount > :least' \
    --expression-attribute-names "$names" --expression-attribute-values '{":open":{"S":"open"},":least":{"N":"50"}}' --no-scan-index-forward)"
  expect o07 "$(ids scan --filter-expression '#state = :paid' --expression-attribute-names "$names" --expression-attribute-values '{":paid":{"S":"paid"}}')"
  expect 75 "$(db execute-statement --statement "SELECT amount FROM \"$table\" WHERE customer = 'c1' AND id = 'o07'" --query 'Items[].amount.N')"
  echo "ok: queries by pages and by the index, a scan, a statement"
}

# ids prints the ids that a query or a scan finds, of all pages in a line.
ids() { db "$@" --table-name $table --query 'Items[].id.S' | xargs; }

create
trap 'db delete-table --table-name $table >/dev/null && db wait table-not-exists --table-name $table && echo "ok: table deleted"' EXIT
items
update
transaction
queries
