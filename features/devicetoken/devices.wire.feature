Feature: Users see and remove their phones, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @PE-P3
  Scenario: A user looks at one phone, on the wire
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the store received a GetItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", consistent

  @PE-P4.list
  Scenario: The phones that get pushes are listed, on the wire
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "bob" has registered "bobs-phone"
    And "ana" logs out on "old-phone"
    When "ana" lists the phones that get pushes
    Then the store received a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", filtered by "isActive = true AND expiresAt > {seconds in 0 days}", eventually consistent
    And the store received no Scan

  @PE-P4.pages
  Scenario: A list longer than one page is complete
    Given "ana" has 4 phones of 390 KB each
    When "ana" lists the phones that get pushes
    Then the store received 2 requests: Query of "photoeditor-dev-device-tokens" where "userId = 'ana'"

  @PE-P5.inactive
  Scenario: A logout deactivates the phone and keeps its item
    Given "ana" has registered "anas-phone"
    When 1 hour passes
    And "ana" logs out on "anas-phone"
    Then the store received an UpdateItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", setting "SET isActive = false, updatedAt = '{now}'", only if "attribute_exists(userId)"
    When "ana" lists the phones that get pushes
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | isActive     | false                          |
      | updatedAt    | '{now}'                        |
      | registeredAt | '{registration of anas-phone}' |

  @PE-P5.unknown
  Scenario: Logging out an unknown phone creates no item
    When "ana" logs out on "anas-phone"
    Then it is not found
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-P6
  Scenario: A phone can be deleted once, on the wire
    Given "ana" has registered "anas-phone"
    When "ana" deletes "anas-phone"
    Then the store received a DeleteItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", only if "attribute_exists(userId)"
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-P6
  Scenario Outline: Deleting a phone with the id "<dots>" does not delete all phones
    Given "ana" has registered "anas-phone"
    When "ana" sends DELETE /devices/<dots>
    Then it is not found
    And table "photoeditor-dev-device-tokens" holds 1 item

    Examples:
      | dots       |
      | .          |
      | ../devices |

  @PE-R7.all @PE-R7.consistency
  Scenario: A user who deletes all phones is gone from the table
    Given "ana" has registered 30 phones
    And "ana" logs out on "ana-7"
    And "bob" has registered "bobs-phone"
    When "ana" deletes all phones
    Then the response is 204
    And table "photoeditor-dev-device-tokens" holds 1 item
    And no table contains "ana"
    When "ana" deletes all phones
    Then the response is 204
    And the store received no DeleteItem

  @PE-R7.all
  Scenario: Phones across several pages are all deleted
    Given "ana" has 4 phones of 390 KB each
    When "ana" deletes all phones
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-R7.consistency
  Scenario: A deletion reads consistently, and only the attributes it needs
    Given "ana" has registered "anas-phone"
    And earlier requests are ignored
    When "ana" deletes all phones
    Then the response is 204
    And the store received 2 requests: Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", consistent
    And the deletion read no attribute of a phone except "deviceId"

  @PE-R7.meanwhile
  Scenario: A phone that registers during a deletion of all phones is deleted too
    Given "ana" has registered "anas-phone"
    When "ana" deletes all phones, while "anas-tablet" registers
    Then the response is 204
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-R7.meanwhile
  Scenario: A deletion that cannot keep up with new registrations fails with 503
    Given "ana" has registered "anas-phone"
    When "ana" deletes all phones, while "anas-phone" registers under another name before each deletion
    Then the response is 503
    And the response contains "too busy"
    And table "photoeditor-dev-device-tokens" holds 1 item
