resource "aws_dynamodb_table" "places" {
  name         = "places"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "city"
    type = "S"
  }

  attribute {
    name = "country"
    type = "S"
  }

  attribute {
    name = "id"
    type = "S"
  }

  attribute {
    name = "street"
    type = "S"
  }

  on_demand_throughput {
    max_read_request_units = 1000
  }

  global_secondary_index {
    name            = "by-place"
    projection_type = "ALL"

    key_schema {
      attribute_name = "country"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "city"
      key_type       = "HASH"
    }

    key_schema {
      attribute_name = "street"
      key_type       = "RANGE"
    }
  }
}
