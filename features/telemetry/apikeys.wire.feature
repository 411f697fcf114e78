Feature: API keys give access to the data, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @TL-P10
  Scenario: A new key is active and shown once, on the wire
    When the administrator creates the API key "fleet"
    Then the store received a PutItem of "api_keys", only if "attribute_not_exists(key_id)"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active    | true            |
      | api_key_hash | '{hash of fleet}' |
      | created_at   | '{now}'         |
      | description  | 'fleet'         |
      | gsi1pk       | 'api_keys'      |
      | gsi1sk       | '{now}'         |
    And no table contains "{fleet}"

  @TL-P9.order
  Scenario: Keys are listed newest first, without the keys themselves, on the wire
    Given the administrator creates the API key "first"
    And 1 minute passes
    And the administrator creates the API key "second"
    And 1 minute passes
    And the administrator creates the API key "third"
    When the administrator lists the keys
    Then the store received a Query of index "gsi1" of "api_keys" where "gsi1pk = 'api_keys'", descending

  @TL-P8
  Scenario: A key is checked by its hash
    Given the administrator creates the API key "fleet"
    When the key "fleet" is checked
    Then the store received a Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
    And the store received no Scan

  @TL-P11.noted
  Scenario: The use of a key is recorded
    Given the administrator creates the API key "fleet"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has no "last_used_at"
    When the key "fleet" is checked
    Then the store received an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "last_used_at = '{now}'"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P11.seldom
  Scenario: Another use within 5 minutes is not recorded
    Given the administrator creates the API key "fleet"
    And the key "fleet" is checked
    When 4 minutes pass
    And the key "fleet" is checked
    Then it is accepted
    And the store received no UpdateItem of "api_keys"

  @TL-P11.seldom
  Scenario: A use after 5 minutes is recorded again
    Given the administrator creates the API key "fleet"
    And the key "fleet" is checked
    When 5 minutes pass
    And the key "fleet" is checked
    Then the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P11.once
  Scenario: Many simultaneous uses are recorded once
    Given the administrator creates the API key "fleet"
    And each UpdateItem of "api_keys" waits until 2 have arrived and no more follow
    When the key "fleet" is checked 32 times at once
    Then all are accepted
    And exactly 1 UpdateItem of "api_keys" succeeded, and the others failed their condition
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | last_used_at | '{now}' |

  @TL-P12.refused
  Scenario: A revoked key is refused from then on, on the wire
    Given the administrator creates the API key "fleet"
    When the administrator revokes the key "fleet"
    Then the store received an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "SET is_active = false"
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active | false |

  @TL-P12.unknown
  Scenario: An unknown key cannot be revoked, on the wire
    When the administrator revokes an unknown key
    Then it is not found
    And table "api_keys" holds no items

  @TL-R11.random
  Scenario: A key is 64 hex digits, and two keys differ
    Given the administrator creates the API key "first"
    And the administrator creates the API key "second"
    Then "{first}" has 64 hex digits
    And the item of "api_keys" where "key_id = '{id of first}'" has:
      | api_key_hash | '{hash of first}' |

  @TL-R11.hidden
  Scenario: No key appears in a log
    Given the administrator creates the API key "fleet"
    And the store refuses to record the next use of a key
    When the key "fleet" is checked
    And the administrator revokes the key "fleet"
    And the key "fleet" is checked
    Then it is refused as unauthorized
    When data is sent with the key "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
    Then it is refused as unauthorized
    And the log has entries, and none contains "{fleet}"
    And the log has entries, and none contains "{hash of fleet}"
    And the log has entries, and none contains "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

  @TL-R12.data
  Scenario Outline: When <request> with <key>, it is refused and nothing is written
    Given the administrator creates the API key "fleet"
    And the administrator creates the API key "withdrawn"
    And the administrator revokes the key "withdrawn"
    And the device "greenhouse" is registered
    When <request> with <key>
    Then it is refused as unauthorized
    And the store received no TransactWriteItems
    And the store received no UpdateItem
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
      | the devices are requested      | no key              |
      | the devices are requested      | an unknown key      |
      | the latest reading is requested | no key             |
      | the readings are requested     | the key "withdrawn" |

  @TL-R12.administration
  Scenario Outline: Administration with <credential> is refused: <request>
    Given the administrator creates the API key "fleet"
    When <request> with <credential>
    Then it is refused as unauthorized
    And the store received no request
    And table "api_keys" holds 1 item
    And the item of "api_keys" where "key_id = '{id of fleet}'" has:
      | is_active | true |

    Examples:
      | request             | credential       |
      | a key is created       | no credential    |
      | a key is created       | a wrong password |
      | a key is created       | the key "fleet"  |
      | the keys are listed | no credential    |
      | the keys are listed | the key "fleet"  |
      | a key is revoked    | no credential    |
      | a key is revoked    | a wrong password |

  @TL-D4.table
  Scenario: A key that the index finds is verified in the table
    Given the administrator creates the API key "fleet"
    When the key "fleet" is checked
    Then it is accepted
    And the store received, in this order:
      | Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'" |
      | GetItem of "api_keys" where "key_id = '{id of fleet}'", consistent                         |

  @TL-D4.table
  Scenario: A revoked key is refused although the index still shows it as active
    Given the administrator creates the API key "fleet"
    And the hash index is not updated from now on
    When the administrator revokes the key "fleet"
    And the key "fleet" is checked
    Then it is refused as unauthorized

  @TL-R11.hashed
  Scenario: A key whose hash changed in the table is refused although the index still finds it
    Given the administrator creates the API key "fleet"
    And the hash index is not updated from now on
    When a client sends an UpdateItem of "api_keys" where "key_id = '{id of fleet}'", setting "SET api_key_hash = 'of another key'"
    And the key "fleet" is checked
    Then it is refused as unauthorized

  @TL-D4.patience
  Scenario: A new key is accepted although the index does not contain it at first
    Given the administrator creates the API key "fleet"
    And the hash index misses it the first time
    When the key "fleet" is checked
    Then it is accepted
    And the store received 2 requests: Query of index "api_key_hash_index" of "api_keys" where "api_key_hash = '{hash of fleet}'"
