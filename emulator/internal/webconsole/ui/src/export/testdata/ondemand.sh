AWS_ACCESS_KEY_ID=tabletop AWS_SECRET_ACCESS_KEY=tabletop aws dynamodb create-table \
  --endpoint-url http://127.0.0.1:8000 \
  --region us-east-1 \
  --table-name places \
  --attribute-definitions '[{"AttributeName":"city","AttributeType":"S"},{"AttributeName":"country","AttributeType":"S"},{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"street","AttributeType":"S"}]' \
  --key-schema '[{"AttributeName":"id","KeyType":"HASH"}]' \
  --billing-mode PAY_PER_REQUEST \
  --on-demand-throughput '{"MaxReadRequestUnits":1000}' \
  --global-secondary-indexes '[{"IndexName":"by-place","KeySchema":[{"AttributeName":"country","KeyType":"HASH"},{"AttributeName":"city","KeyType":"HASH"},{"AttributeName":"street","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]'
