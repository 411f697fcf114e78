resource "aws_dynamodb_table" "shop_orders-2" {
  name                        = "shop.orders-2"
  billing_mode                = "PROVISIONED"
  read_capacity               = 5
  write_capacity              = 6
  hash_key                    = "customer"
  range_key                   = "placed"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  stream_enabled              = true
  stream_view_type            = "NEW_AND_OLD_IMAGES"
  deletion_protection_enabled = true

  attribute {
    name = "amount"
    type = "N"
  }

  attribute {
    name = "customer"
    type = "S"
  }

  attribute {
    name = "no"
    type = "B"
  }

  attribute {
    name = "placed"
    type = "N"
  }

  global_secondary_index {
    name               = "by-number"
    hash_key           = "no"
    projection_type    = "INCLUDE"
    non_key_attributes = ["total", "it's $${x} \"1\""]
    read_capacity      = 2
    write_capacity     = 3
  }

  local_secondary_index {
    name            = "by-amount"
    range_key       = "amount"
    projection_type = "KEYS_ONLY"
  }

  ttl {
    attribute_name = "expires"
    enabled        = true
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = 7
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = "arn:aws:kms:us-east-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab"
  }

  tags = {
    "cost centre" = "7"
    "team"        = "Shop: Süd"
  }
}
