Feature: Operation
  Four containers as the document's Terraform describes them. Deleting a user deletes all their data.

  @NT-R10.all @NT-R10.counted
  Scenario: Deleting a user removes and counts all their data, and nobody else's
    Given "ana" has no quiet hours
    And "ana" registers the device "phone"
    And "bob" registers the device "phone"
    And 3 likes of posts of "ana"
    And "ana" likes a post of "bob"
    And a worker runs
    When "ana" is deleted
    Then the request succeeds
    And the response's "notification_events" is "3"
    And the response's "notifications" is "3"
    And the response's "notification_preferences" is "1"
    And the response's "device_tokens" is "1"
    And "bob" has the devices "phone"
    And "bob" has 1 notification
