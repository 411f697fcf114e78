Feature: Keys
  A key never leaves KMS: it encrypts small things, such as the keys of larger ones, and binds each to a context. Keys rotate,
  are disabled and deleted by the clock, and what they encrypt follows them: a table too.

  @SV-K1.context @needs:commands
  Scenario: Envelope encryption
    Given an emulator
    And a key "orders"
    When a data key of "orders" is made for {"tenant": "7"}
    And the data key is decrypted for {"tenant": "7"}
    Then the data key came back
    When the data key is decrypted for {"tenant": "8"}
    Then it is refused with InvalidCiphertextException
    When the data key is decrypted for {}
    Then it is refused with InvalidCiphertextException

  @SV-K1.key @SV-K1.anew @needs:commands
  Scenario: A ciphertext is of one key
    Given an emulator
    And a key "orders"
    And a key "invoices"
    When a data key of "orders" is made for {"tenant": "7"}
    And the data key is decrypted by "invoices" for {"tenant": "7"}
    Then it is refused with IncorrectKeyException
    When the data key is encrypted anew by "invoices" for {"tenant": "7"}
    And the data key is decrypted by "invoices" for {"tenant": "7"}
    Then the data key came back

  @SV-K2.schedule @SV-K2.demand @SV-K2.former @needs:commands
  Scenario: A rotated key decrypts what it encrypted before
    Given an emulator
    And a key "orders" that rotates every 90 days
    When a data key of "orders" is made for {"tenant": "7"}
    And 181 days pass
    Then "orders" was rotated 2 times
    When "orders" is rotated at once
    Then "orders" was rotated 3 times
    When the data key is decrypted for {"tenant": "7"}
    Then the data key came back

  @SV-K3.pending @SV-K3.kept @SV-K3.gone @needs:commands
  Scenario: A key is deleted by the clock, and what it encrypted is lost
    Given an emulator
    And a key "orders"
    When a data key of "orders" is made for {"tenant": "7"}
    And "orders" is to be deleted in 7 days
    And the data key is decrypted for {"tenant": "7"}
    Then it is refused with KMSInvalidStateException because "is pending deletion."
    When 6 days pass
    And the deletion of "orders" is cancelled
    And "orders" is enabled
    And the data key is decrypted for {"tenant": "7"}
    Then the data key came back
    When "orders" is to be deleted in 7 days
    And 7 days pass
    And the data key is decrypted for {"tenant": "7"}
    Then it is refused with AccessDeniedException because "refers to a customer master key that does not exist"

  @SV-K4.inaccessible @SV-K4.healed @needs:commands
  Scenario: A disabled key makes its table inaccessible, and enabling it heals the table
    Given an emulator
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And the item {"id": "7"} is put into "orders"
    When "orders" is disabled
    And the item {"id": "7"} of "orders" is read
    Then it is refused with ValidationException because "KMS key disabled error: com.amazonaws.services.kms.model.DisabledException"
    And the table "orders" is INACCESSIBLE_ENCRYPTION_CREDENTIALS
    When "orders" is enabled
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    And the table "orders" is ACTIVE

  @SV-K4.minutes @SV-K4.archived @needs:commands
  Scenario: Like the cloud, a table follows its key after some minutes, and is archived after seven days
    Given an emulator like the cloud in states
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And 10 seconds pass
    And the item {"id": "7"} is put into "orders"
    When "orders" is disabled
    And 4 minutes pass
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
    When 1 minute passes
    And the item {"id": "7"} of "orders" is read
    Then it is refused with ValidationException because "KMS key disabled error"
    And the table "orders" is ACTIVE
    When 25 minutes pass
    Then the table "orders" is INACCESSIBLE_ENCRYPTION_CREDENTIALS
    When 7 days pass
    Then the table "orders" is ARCHIVED

  @SV-K4.refused @needs:commands
  Scenario: A key that cannot be used encrypts no table
    Given an emulator
    And a key "orders"
    And "orders" is disabled
    When a table "orders" is to be encrypted by the key "orders"
    Then it is refused with ValidationException because "KMS key disabled error"
    When a table "orders" is to be encrypted by the key "none"
    Then it is refused with ValidationException because "KMS validation error: com.amazonaws.services.kms.model.NotFoundException: Alias"

  @SV-K5.sealed @needs:commands
  Scenario: Nothing can be read in the files
    Given an emulator with an encrypted data folder
    And a key "orders"
    And a table "orders" that is encrypted by the key "orders"
    And the item {"id": "recognisable-id", "note": "recognisable-note"} is put into "orders"
    Then no file of the data folder has "recognisable"
    When the emulator is stopped
    Then no file of the data folder has "recognisable"
    When the emulator is started again
    And the item {"id": "recognisable-id"} of "orders" is read
    Then it has the id "recognisable-id"

  @SV-K5.root @needs:commands
  Scenario: Without its root key a folder stays closed
    Given an emulator with a data folder whose root key is elsewhere
    And a table "orders" with the key "id"
    And the item {"id": "7"} is put into "orders"
    When the emulator is stopped
    And the root key is lost
    Then the emulator does not start again because "its root key is not at"
    When the root key is found
    And the emulator is started again
    And the item {"id": "7"} of "orders" is read
    Then it has the id "7"
