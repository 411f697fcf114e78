Feature: API keys open the data
  The administrator hands out keys to the fleet, sees when they were used, and takes them back.

  @TL-P10
  Scenario: A key is made active and shown once
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
    When the administrator looks at the key "fleet"
    Then the answer does not show "{fleet}"
    And the answer does not show "{hash of fleet}"

  @TL-P9.order
  Scenario: Keys are listed newest first, without the keys themselves
    Given the administrator makes the API key "first"
    And 1 minute passes
    And the administrator makes the API key "second"
    And 1 minute passes
    And the administrator makes the API key "third"
    When the administrator lists the keys
    Then the list is "third, second, first"
    And the answer does not show "{second}"
    And the store was asked for a Query of index "gsi1" of "api_keys" where "gsi1pk = 'api_keys'", descending

  @TL-P9.pages
  Scenario: A long list of keys comes in pages, each key once
    Given the administrator makes 7 API keys
    When the administrator lists the keys in pages of 3
    Then the pages have 3, 3 and 1 keys

  @TL-P8
  Scenario: A key is checked by its hash
    Given the administrator makes the API key "fleet"
    When the key "fleet" is checked
    Then it is accepted
    And the store was asked for a Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
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
    And each UpdateItem waits until 2 are there and no more come
    When the key "fleet" is checked 32 times at once
    Then all are accepted
    And exactly 1 UpdateItem of "api_keys" succeeded, and the condition of others did not hold
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P12.refused
  Scenario: A revoked key is refused from then on
    Given the administrator makes the API key "fleet"
    When the administrator revokes the key "fleet"
    Then the store was asked for an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "SET is_active = false"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active | false |
    When the key "fleet" is checked
    Then it is refused for want of a key

  @TL-P12.unknown
  Scenario: A key that nobody made cannot be revoked
    When the administrator revokes a key that nobody made
    Then it is not found
    And table "api_keys" holds no items

  @TL-D8
  Scenario: A key whose answer was lost is found as never used, and revoked, and the next one opens the data
    Given the administrator makes the API key "lost"
    And 1 minute passes
    And the administrator makes the API key "second"
    And the key "second" is checked
    When the administrator lists the keys
    Then the list is "second, lost"
    When the administrator looks at the key "lost"
    Then the answer has no "last_used_at"
    When the administrator revokes the key "lost"
    And the key "lost" is checked
    Then it is refused for want of a key
    When the key "second" is checked
    Then it is accepted

  @TL-R11.random
  Scenario: A key is 64 hex digits, and two keys differ
    Given the administrator makes the API key "first"
    And the administrator makes the API key "second"
    Then "{first}" has 64 hex digits
    And "{first}" and "{second}" differ
    And "{hash of first}" is SHA-256 of the pepper and "{first}"

  @TL-R11.pepper
  Scenario: Without a pepper the service does not start
    When the service starts without a pepper
    Then it does not start and says that it needs "pepper"

  @TL-R11.hashed
  Scenario: With another pepper the old keys are worth nothing
    Given the administrator makes the API key "fleet"
    When the service starts anew with another pepper
    And the key "fleet" is checked
    Then it is refused for want of a key

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
