Feature: A phone that is silent for 90 days gets nothing more
  Apps are removed without a word. A phone whose app is not opened for 90 days gets no push any more and leaves the table.

  Background:
    Given "ana" has registered "anas-phone"

  @PE-R2.silent @PE-D4
  Scenario: A launch gives 90 days more, from the launch and not from the registration
    When 60 days pass
    And "ana" opens the app on "anas-phone"
    And 89 days pass
    And "ana" asks which phones get pushes
    Then they are "anas-phone"

  @PE-D4
  Scenario: Ninety days from the registration alone would lose a phone in daily use
    When 45 days pass
    And "ana" opens the app on "anas-phone"
    And 45 days pass
    And "ana" asks which phones get pushes
    Then they are "anas-phone"

  @PE-R2.back
  Scenario: A phone that comes back after its time is there again
    When 90 days pass
    And "ana" opens the app on "anas-phone"
    Then the request succeeds
    When "ana" asks which phones get pushes
    Then they are "anas-phone"
