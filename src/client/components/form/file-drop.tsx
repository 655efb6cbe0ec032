import { VisuallyHidden } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileUpload } from '@tabler/icons-react'

import { formatFileSize } from '../../../shared/format'
import { showError } from '../../lib/toast'
import { READABLE_FILES } from './sending-help'

import '@mantine/dropzone/styles.css'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** What the file is for: the beginning of the accessible name. */
  label: string
  /** The file that has been chosen; it can be replaced. */
  file?: File | null
  isDisabled?: boolean
  /** Which files are read, in one line. */
  kinds?: string
  onFile: (file: File) => void
}

/** Where a file is dropped, or chosen by a click or a key. */
export function FileDrop({
  label,
  file,
  isDisabled = false,
  kinds = READABLE_FILES,
  onFile,
}: FileDropProps) {
  return (
    <Dropzone
      className={classes.drop}
      data-filled={file ? true : undefined}
      disabled={isDisabled}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input may not be in a <button>
      role="button"
      // Also while it is disabled, so that the focus stays where it is while a file is sent.
      tabIndex={0}
      aria-disabled={isDisabled}
      inputProps={{
        'aria-label': label,
        disabled: isDisabled,
        multiple: false,
        // The button around it is what is reached, and opens it.
        style: { display: 'none' },
      }}
      onDrop={([dropped, ...others]) => {
        if (others.length > 0) showError('Drop one file at a time')
        else if (dropped) onFile(dropped)
      }}
    >
      <div className={classes.content}>
        <IconFileUpload size={24} stroke={1.6} aria-hidden="true" />
        <div className={classes.texts}>
          <VisuallyHidden>{label}: </VisuallyHidden>
          <bdi className={classes.title}>
            {file ? file.name : 'Drop your file here, or choose it'}
          </bdi>
          <span>
            {file
              ? `${formatFileSize(file.size, 1)} · drop or choose another to replace it`
              : kinds}
          </span>
        </div>
      </div>
    </Dropzone>
  )
}
