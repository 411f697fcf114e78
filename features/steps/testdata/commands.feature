Feature: Commands

  Scenario: A command that the mishaps do not disturb succeeds
    When a command runs undisturbed:
      """
      test -n "$AWS_ENDPOINT_URL_DYNAMODB" && test -n "$AZURE_COSMOS_KEY"
      """
    Then the command succeeds

  Scenario: A command sees the mishaps of its run
    When a command runs with the mishaps "cut-after-commit PutItem 1 orders":
      """
      test "$TABLETOP_EXPLORE" != 'cut-after-commit PutItem 1 orders'
      """
    Then the command fails

  Scenario: A command finds the tables of a file, and its invariants are checked
    Given commands find the tables of the file "orders.yaml"
    And commands must keep the invariants of the file "invariants.yaml"
    When a command runs undisturbed:
      """
      exit 0
      """
    Then the command succeeds
