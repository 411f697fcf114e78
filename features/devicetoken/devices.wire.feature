Feature: People see and remove their phones, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  @PE-P3
  Scenario: One phone is looked at, on the wire
    Given "ana" has registered "anas-phone"
    When "ana" looks at "anas-phone"
    Then the store was asked for a GetItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", consistent

  @PE-P4.list
  Scenario: The phones that get pushes are listed, on the wire
    Given "ana" has registered "anas-phone"
    And "ana" has registered "anas-tablet"
    And "ana" has registered "old-phone"
    And "bob" has registered "bobs-phone"
    And "ana" logs out on "old-phone"
    When "ana" asks which phones get pushes
    Then the store was asked for a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", filtered by "isActive = true AND expiresAt > {seconds in 0 days}", eventually consistent
    And the store was never asked for a Scan

  @PE-P4.pages
  Scenario: A list longer than a page is read to its end
    Given "ana" has 4 phones of 390 KB each
    When "ana" asks which phones get pushes
    Then the store was asked for 2 times Query of "photoeditor-dev-device-tokens" where "userId = 'ana'"

  @PE-P5.inactive
  Scenario: A logout takes the phone out, and keeps it
    Given "ana" has registered "anas-phone"
    When 1 hour passes
    And "ana" logs out on "anas-phone"
    Then the store was asked for an UpdateItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", setting "SET isActive = false, updatedAt = '{now}'", only if "attribute_exists(userId)"
    When "ana" asks which phones get pushes
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | isActive     | false                          |
      | updatedAt    | '{now}'                        |
      | registeredAt | '{registration of anas-phone}' |

  @PE-P5.unknown
  Scenario: An unknown phone cannot be logged out, and that does not make it
    When "ana" logs out on "anas-phone"
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-P6
  Scenario: A phone is deleted for good, once, on the wire
    Given "ana" has registered "anas-phone"
    When "ana" deletes "anas-phone"
    Then the store was asked for a DeleteItem of "photoeditor-dev-device-tokens" where "deviceId = 'anas-phone' AND userId = 'ana'", only if "attribute_exists(userId)"
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-P6
  Scenario Outline: The deletion of a phone called "<dots>" is not that of all phones
    Given "ana" has registered "anas-phone"
    When "ana" sends DELETE /devices/<dots>
    Then it is not found
    And table "photoeditor-dev-device-tokens" holds 1 item

    Examples:
      | dots       |
      | .          |
      | ../devices |

  @PE-R7.all @PE-R7.consistency
  Scenario: Whoever asks for it is gone from the table
    Given "ana" has registered 30 phones
    And "ana" logs out on "ana-7"
    And "bob" has registered "bobs-phone"
    When "ana" asks for everything to be deleted
    Then the answer is 204
    And table "photoeditor-dev-device-tokens" holds 1 item
    And no table shows "ana"
    When "ana" asks for everything to be deleted
    Then the answer is 204
    And the store was never asked for a DeleteItem

  @PE-R7.all
  Scenario: More phones than a page has are deleted to the last
    Given "ana" has 4 phones of 390 KB each
    When "ana" asks for everything to be deleted
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-R7.consistency
  Scenario: A deletion looks for what is there now, and for no more than it needs
    Given "ana" has registered "anas-phone"
    And what was asked before is forgotten
    When "ana" asks for everything to be deleted
    Then the answer is 204
    And the store was asked for 2 times Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", consistent
    And the store was asked for nothing of a phone but its "deviceId"

  @PE-R7.meanwhile
  Scenario: A phone that registers while the others are deleted is deleted too
    Given "ana" has registered "anas-phone"
    When "ana" asks for everything to be deleted, while "anas-tablet" registers
    Then the answer is 204
    And table "photoeditor-dev-device-tokens" holds no items

  @PE-R7.meanwhile
  Scenario: Whoever registers faster than phones are deleted is told so
    Given "ana" has registered "anas-phone"
    When "ana" asks for everything to be deleted, while "anas-phone" registers by another name before each deletion
    Then the answer is 503
    And the answer says "too busy"
    And table "photoeditor-dev-device-tokens" holds 1 item
