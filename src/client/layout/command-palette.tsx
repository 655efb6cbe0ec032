import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'

import { SEARCH_MAX_LENGTH } from '../../shared/constants'
import { useCommands, type Command, type PaletteDialogs } from './use-commands'

import classes from './command-palette.module.css'

interface CommandPaletteProps extends PaletteDialogs {
  isOpen: boolean
  onClose: () => void
}

const GROUPS = ['Pages', 'Actions', 'Retailers'] as const

/** Goes to a page or a retailer, or starts an action, by typing a part of its name. */
export function CommandPalette({ isOpen, onClose, ...dialogs }: CommandPaletteProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="12vh"
      padding={0}
      aria-label="Command palette"
    >
      <Commands onClose={onClose} {...dialogs} />
    </Modal>
  )
}

function Commands({ onClose, ...dialogs }: Omit<CommandPaletteProps, 'isOpen'>) {
  const [text, setText] = useState('')
  const query = text.trim()
  const commands = useCommands(query, dialogs)
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const { selectFirstOption } = combobox
  const ids = commands.map(({ group, id }) => `${group} ${id}`)
  useEffect(() => {
    selectFirstOption()
    // oxlint-disable-next-line react/exhaustive-deps -- when the options change
  }, [ids.join('\n')])

  function run(id: string) {
    onClose()
    commands[ids.indexOf(id)]?.run()
  }

  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          variant="unstyled"
          size="md"
          className={classes.search}
          aria-label="Search pages and actions"
          placeholder="Go to …"
          leftSection={<IconSearch size={17} aria-hidden="true" />}
          maxLength={SEARCH_MAX_LENGTH}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label="Commands">
        {GROUPS.map((group) => (
          <Group key={group} label={group} commands={commands} />
        ))}
        {commands.length === 0 && (
          <Combobox.Empty>
            Nothing matches “<bdi>{query}</bdi>”.
          </Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox>
  )
}

function Group({ label, commands }: { label: Command['group']; commands: Command[] }) {
  const own = commands.filter(({ group }) => group === label)
  if (own.length === 0) return null
  return (
    <Combobox.Group label={label}>
      {own.map((command) => (
        <Combobox.Option key={command.id} value={`${label} ${command.id}`} dir="auto">
          {command.label}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}
