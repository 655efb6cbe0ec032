import {
  Combobox,
  Kbd,
  Modal,
  Text,
  TextInput,
  useCombobox,
  type ComboboxStore,
} from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

import { SEARCH_MAX_LENGTH } from '../../shared/constants'
import { ErrorState, type FailedQuery } from '../components/feedback/message-state'
import { errorMessage } from '../lib/error-message'
import type { Command } from './commands'
import type { PaletteDialogs } from './own-actions'
import { useCommands, type CommandGroup } from './use-commands'

import classes from './command-palette.module.css'

interface CommandPaletteProps extends PaletteDialogs {
  isOpen: boolean
  onClose: () => void
}

/**
 * Goes to a record, an item or a page, or starts an action, by typing a part of its name. The options of
 * `@mantine/spotlight` have no roles, so that screen readers do not tell which one is selected.
 */
export function CommandPalette({ isOpen, onClose, ...dialogs }: CommandPaletteProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      padding={0}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Commands onClose={onClose} {...dialogs} />
    </Modal>
  )
}

function Commands({ onClose, ...dialogs }: Omit<CommandPaletteProps, 'isOpen'>) {
  const [text, setText] = useState('')
  const query = text.trim()
  const { groups, isSearching, failedSearches } = useCommands(query, dialogs)
  const commands = groups.flatMap((group) => group.commands)
  const ids = commands.map(toId)
  const isEmpty = commands.length === 0
  const combobox = useCombobox({ opened: !isEmpty, onDropdownClose: onClose })
  useSelection(combobox, query, ids)

  function run(id: string) {
    onClose()
    commands[ids.indexOf(id)]?.run()
  }
  function searchAgain(search: FailedQuery) {
    // The button that has the focus is gone while the search runs.
    combobox.focusTarget()
    void search.refetch()
  }

  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          variant="unstyled"
          size="md"
          className={classes.search}
          aria-label="Search records, items, pages and actions"
          placeholder="Go to …"
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          maxLength={SEARCH_MAX_LENGTH}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label="Commands" hidden={isEmpty}>
        {groups.map((group) => (
          <Group key={group.name} {...group} />
        ))}
      </Combobox.Options>
      <output className={classes.status}>
        {isEmpty &&
          failedSearches.length === 0 &&
          (isSearching ? 'Searching …' : <NothingMatches query={query} />)}
      </output>
      {failedSearches.map(({ title, query: search }) => (
        <ErrorState
          key={title}
          isCompact
          title={title}
          message={errorMessage(search.error)}
          onRetry={() => searchAgain(search)}
        />
      ))}
    </Combobox>
  )
}

const Group = ({ name, commands }: CommandGroup) => (
  <Combobox.Group label={name}>
    {commands.map((command) => (
      <Combobox.Option key={command.id} value={toId(command)} className={classes.option}>
        <bdi className={classes.label}>{command.label}</bdi>
        {command.note && (
          <Text component="bdi" inherit className={classes.note}>
            {command.note}
          </Text>
        )}
        {command.keys && (
          <span className={classes.keys} aria-hidden="true">
            {command.keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </span>
        )}
      </Combobox.Option>
    ))}
  </Combobox.Group>
)

const NothingMatches = ({ query }: { query: string }) => (
  <>
    Nothing matches “<bdi>{query}</bdi>”.
  </>
)

const toId = ({ group, id }: Command) => `${group} ${id}`

/**
 * Selects the first option, which matches best. What is selected stays so when found retailers arrive
 * for the same query: Enter opens what the user saw.
 */
function useSelection(combobox: ComboboxStore, query: string, ids: string[]) {
  const { getSelectedOptionIndex, selectFirstOption, selectOption } = combobox
  const shown = useRef<{ query: string; ids: string[] }>({ query, ids: [] })
  useEffect(() => {
    const before = shown.current
    shown.current = { query, ids }
    const selected = before.query === query ? before.ids[getSelectedOptionIndex()] : undefined
    const kept = selected === undefined ? -1 : ids.indexOf(selected)
    if (kept >= 0) selectOption(kept)
    else selectFirstOption()
    // oxlint-disable-next-line react/exhaustive-deps -- when the options change
  }, [query, ids.join('\n')])
}
