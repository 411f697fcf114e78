Feature: Phones expire after 90 days
  Apps are removed without notice. A phone whose app is not opened for 90 days gets no more pushes and is removed from
  the table.

  Background:
    Given "ana" has registered "anas-phone"

  @PE-R2.silent @PE-D4
  Scenario: Opening the app extends the expiry to 90 days from then
    When 60 days pass
    And "ana" opens the app on "anas-phone"
    And 89 days pass
    And "ana" lists the phones that get pushes
    Then they are "anas-phone"

  @PE-D4
  Scenario: A phone in regular use outlives 90 days from its registration
    When 45 days pass
    And "ana" opens the app on "anas-phone"
    And 45 days pass
    And "ana" lists the phones that get pushes
    Then they are "anas-phone"

  @PE-R2.back
  Scenario: A phone that is used again after it expired gets pushes again
    When 90 days pass
    And "ana" opens the app on "anas-phone"
    Then the request succeeds
    When "ana" lists the phones that get pushes
    Then they are "anas-phone"
