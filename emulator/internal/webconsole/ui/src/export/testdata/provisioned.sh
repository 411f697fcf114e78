AWS_ACCESS_KEY_ID=tabletop AWS_SECRET_ACCESS_KEY=tabletop aws dynamodb create-table \
  --endpoint-url http://127.0.0.1:8000 \
  --region us-east-1 \
  --table-name shop.orders-2 \
  --attribute-definitions '[{"AttributeName":"amount","AttributeType":"N"},{"AttributeName":"customer","AttributeType":"S"},{"AttributeName":"no","AttributeType":"B"},{"AttributeName":"placed","AttributeType":"N"}]' \
  --key-schema '[{"AttributeName":"customer","KeyType":"HASH"},{"AttributeName":"placed","KeyType":"RANGE"}]' \
  --billing-mode PROVISIONED \
  --provisioned-throughput '{"ReadCapacityUnits":5,"WriteCapacityUnits":6}' \
  --global-secondary-indexes '[{"IndexName":"by-number","KeySchema":[{"AttributeName":"no","KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["total","it'\''s ${x} \"1\""]},"ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3}}]' \
  --local-secondary-indexes '[{"IndexName":"by-amount","KeySchema":[{"AttributeName":"customer","KeyType":"HASH"},{"AttributeName":"amount","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]' \
  --table-class STANDARD_INFREQUENT_ACCESS \
  --deletion-protection-enabled \
  --stream-specification '{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}' \
  --sse-specification '{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab"}' \
  --tags '[{"Key":"cost centre","Value":"7"},{"Key":"team","Value":"Shop: Süd"}]'
AWS_ACCESS_KEY_ID=tabletop AWS_SECRET_ACCESS_KEY=tabletop aws dynamodb wait table-exists \
  --endpoint-url http://127.0.0.1:8000 \
  --region us-east-1 \
  --table-name shop.orders-2
AWS_ACCESS_KEY_ID=tabletop AWS_SECRET_ACCESS_KEY=tabletop aws dynamodb update-time-to-live \
  --endpoint-url http://127.0.0.1:8000 \
  --region us-east-1 \
  --table-name shop.orders-2 \
  --time-to-live-specification '{"Enabled":true,"AttributeName":"expires"}'
AWS_ACCESS_KEY_ID=tabletop AWS_SECRET_ACCESS_KEY=tabletop aws dynamodb update-continuous-backups \
  --endpoint-url http://127.0.0.1:8000 \
  --region us-east-1 \
  --table-name shop.orders-2 \
  --point-in-time-recovery-specification '{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}'
