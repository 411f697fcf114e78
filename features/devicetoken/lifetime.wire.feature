Feature: A phone that is silent for 90 days gets nothing more, on the wire
  What the service asks of its store for this, what the store holds then, and what HTTP answers.

  Background:
    Given "ana" has registered "anas-phone"

  @PE-R2.silent @PE-D3
  Scenario: Pushes stop at the second, though the item is still there
    When 89 days pass
    And 86399 seconds pass
    And "ana" asks which phones get pushes
    Then they are "anas-phone"
    When 1 second passes
    And "ana" asks which phones get pushes
    Then there are none
    And table "photoeditor-dev-device-tokens" holds 1 item
    When the phones of "ana" are queried as the document has it
    Then the store finds "anas-phone"

  @PE-D3
  Scenario: What the runbook asks for is in the filter
    When "ana" asks which phones get pushes
    Then the store was asked for a Query of "photoeditor-dev-device-tokens" where "userId = 'ana'", filtered by "isActive = true AND expiresAt > {seconds in 0 days}"

  @PE-R2.removed @needs:move-time @needs:private-store
  Scenario: The item is gone after 90 days
    When 89 days pass
    Then table "photoeditor-dev-device-tokens" holds 1 item
    When 3 days pass
    Then table "photoeditor-dev-device-tokens" holds no items

  @PE-R2.silent @PE-D4
  Scenario: A launch gives 90 days more, from the launch and not from the registration, on the wire
    When 60 days pass
    And "ana" opens the app on "anas-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | registeredAt | '{registration of anas-phone}' |
      | expiresAt    | {seconds in 90 days}           |

  @PE-P5.inactive @PE-R2.silent
  Scenario: A logout does not extend the time
    When 10 days pass
    And "ana" logs out on "anas-phone"
    Then the item of "photoeditor-dev-device-tokens" where "userId = 'ana' AND deviceId = 'anas-phone'" has:
      | expiresAt | {seconds in 80 days} |
