Feature: API keys open the data, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @TL-P10
  Scenario: A key is made active and shown once, on the wire
    When the administrator makes the API key "fleet"
    Then the store was asked for a PutItem of "api_keys", only if "attribute_not_exists(key_id)"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active    | true            |
      | api_key_hash | '{hash of fleet}' |
      | created_at   | '{now}'         |
      | description  | 'fleet'         |
      | gsi1pk       | 'api_keys'      |
      | gsi1sk       | '{now}'         |
    And no table shows "{fleet}"

  @TL-P9.order
  Scenario: Keys are listed newest first, without the keys themselves, on the wire
    Given the administrator makes the API key "first"
    And 1 minute passes
    And the administrator makes the API key "second"
    And 1 minute passes
    And the administrator makes the API key "third"
    When the administrator lists the keys
    Then the store was asked for a Query of index "gsi1" of "api_keys" where "gsi1pk = 'api_keys'", descending

  @TL-P8
  Scenario: A key is checked by its hash
    Given the administrator makes the API key "fleet"
    When the key "fleet" is checked
    Then the store was asked for a Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
    And the store was never asked for a Scan

  @TL-P11.noted
  Scenario: The use of a key is noted
    Given the administrator makes the API key "fleet"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has no "last_used_at"
    When the key "fleet" is checked
    Then the store was asked for an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "last_used_at = '{now}'"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P11.seldom
  Scenario: Another use within 5 minutes is not noted
    Given the administrator makes the API key "fleet"
    And the key "fleet" is checked
    When 4 minutes pass
    And the key "fleet" is checked
    Then it is accepted
    And the store was never asked for an UpdateItem of "api_keys"

  @TL-P11.seldom
  Scenario: A use after 5 minutes is noted again
    Given the administrator makes the API key "fleet"
    And the key "fleet" is checked
    When 5 minutes pass
    And the key "fleet" is checked
    Then the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P11.once
  Scenario: Many uses at once are noted as one
    Given the administrator makes the API key "fleet"
    And each UpdateItem of "api_keys" waits until 2 are there and no more come
    When the key "fleet" is checked 32 times at once
    Then all are accepted
    And exactly 1 UpdateItem of "api_keys" succeeded, and the condition of others did not hold
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P12.refused
  Scenario: A revoked key is refused from then on, on the wire
    Given the administrator makes the API key "fleet"
    When the administrator revokes the key "fleet"
    Then the store was asked for an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "SET is_active = false"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active | false |

  @TL-P12.unknown
  Scenario: A key that nobody made cannot be revoked, on the wire
    When the administrator revokes a key that nobody made
    Then table "api_keys" holds no items

  @TL-R11.random
  Scenario: A key is 64 hex digits, and two keys differ
    Given the administrator makes the API key "first"
    And the administrator makes the API key "second"
    Then "{first}" has 64 hex digits
    And "{hash of first}" is SHA-256 of the pepper and "{first}"

  @TL-R11.hidden
  Scenario: No log shows a key
    Given the administrator makes the API key "fleet"
    And the store refuses to note the next use of a key
    When the key "fleet" is checked
    And the administrator revokes the key "fleet"
    And the key "fleet" is checked
    And data is sent with the key "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    Then the log was written to but never shows "{fleet}"
    And the log was written to but never shows "{hash of fleet}"
    And the log was written to but never shows "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

  @TL-R12.data
  Scenario Outline: When <request> with <key>, it is refused and nothing is written
    Given the administrator makes the API key "fleet"
    And the administrator makes the API key "withdrawn"
    And the administrator revokes the key "withdrawn"
    And the device "greenhouse" is registered
    When <request> with <key>
    Then it is refused for want of a key
    And the store was never asked for a TransactWriteItems
    And the store was never asked for an UpdateItem
    And table "device_readings" holds no items
    And table "devices" holds 1 item

    Examples:
      | request                        | key                 |
      | a reading is delivered         | no key              |
      | a reading is delivered         | an unknown key      |
      | a reading is delivered         | a key cut short     |
      | a reading is delivered         | the key "withdrawn" |
      | a new device registers         | no key              |
      | a new device registers         | the key "withdrawn" |
      | a device is named              | no key              |
      | the devices are asked for      | no key              |
      | the devices are asked for      | an unknown key      |
      | the latest reading is asked for | no key             |
      | the readings are asked for     | the key "withdrawn" |

  @TL-R12.administration
  Scenario Outline: Administration with <credential> is refused: <request>
    Given the administrator makes the API key "fleet"
    When <request> with <credential>
    Then it is refused for want of a key
    And the store was asked for nothing
    And table "api_keys" holds 1 item
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active | true |

    Examples:
      | request             | credential       |
      | a key is made       | no credential    |
      | a key is made       | a wrong password |
      | a key is made       | the key "fleet"  |
      | the keys are listed | no credential    |
      | the keys are listed | the key "fleet"  |
      | a key is revoked    | no credential    |
      | a key is revoked    | a wrong password |

  @TL-D4.table
  Scenario: A key that the index finds is read from the table before it passes
    Given the administrator makes the API key "fleet"
    When the key "fleet" is checked
    Then it is accepted
    And the store was asked, in this order, for:
      | Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'" |
      | GetItem of "api_keys" where "key_id = '{id of fleet}'", consistent                         |

  @TL-D4.table
  Scenario: A revoked key is refused though the index still shows it active
    Given the administrator makes the API key "fleet"
    And the hash index stays as it is now
    When the administrator revokes the key "fleet"
    And the key "fleet" is checked
    Then it is refused for want of a key

  @TL-R11.hashed
  Scenario: A key whose hash the table no longer has is refused though the index still finds it
    Given the administrator makes the API key "fleet"
    And the hash index stays as it is now
    When the store is asked for an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "SET api_key_hash = 'of another key'"
    And the key "fleet" is checked
    Then it is refused for want of a key

  @TL-D4.patience
  Scenario: A new key passes though the index does not have it yet
    Given the administrator makes the API key "fleet"
    And the hash index does not find it the first time
    When the key "fleet" is checked
    Then it is accepted
    And the store was asked for 2 times Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
