/** Small line icons, drawn on a 20 px grid in the colour of the text around them. */
import type { ReactNode } from 'react';

interface IconProps {
  /** Edge length in CSS pixels. */
  readonly size?: number;
}

function Icon({ size = 20, children }: IconProps & { readonly children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const ChatIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9.5L6 17v-3H4.5A1.5 1.5 0 0 1 3 12.5v-7A1.5 1.5 0 0 1 4.5 4Z" />
  </Icon>
);
export const ModelsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m10 3 6.5 3.5v7L10 17l-6.5-3.5v-7L10 3ZM3.8 6.7 10 10l6.2-3.3M10 10v6.8" />
  </Icon>
);
export const ChipIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" />
    <rect x="8.25" y="8.25" width="3.5" height="3.5" rx="0.5" />
    <path d="M8 3v2.5M12 3v2.5M8 14.5V17M12 14.5V17M3 8h2.5M3 12h2.5M14.5 8H17M14.5 12H17" />
  </Icon>
);
export const GaugeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 16V4M3 16h14M6 12.5l3-4 2.5 2.5L16 5" />
  </Icon>
);
export const LanesIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 5.5h6M11.5 5.5H14M5.5 10h8M3 14.5h3.5M9 14.5h8" strokeWidth="2.4" />
  </Icon>
);
export const CompareIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3" y="4" width="5.5" height="12" rx="1.5" />
    <rect x="11.5" y="4" width="5.5" height="12" rx="1.5" />
    <path d="M5 8h1.5M5 11h1.5M13.5 8H15M13.5 11H15" />
  </Icon>
);
export const SettingsIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 6h7M14 6h3M3 14h3M10 14h7" />
    <circle cx="12" cy="6" r="2" />
    <circle cx="8" cy="14" r="2" />
  </Icon>
);
export const SunIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="10" r="3.25" />
    <path d="M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1.05 1.05M14.25 14.25l1.05 1.05M15.3 4.7l-1.05 1.05M5.75 14.25 4.7 15.3" />
  </Icon>
);
export const MoonIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M16.5 11.8A6.75 6.75 0 1 1 8.2 3.5a5.4 5.4 0 0 0 8.3 8.3Z" />
  </Icon>
);
export const PlusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);
export const MinusIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 10h12" />
  </Icon>
);
export const SearchIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 3.5 3.5" />
  </Icon>
);
export const CloseIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />
  </Icon>
);
export const PencilIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m4 16 .7-3.3L13 4.4a1.4 1.4 0 0 1 2 0l.6.6a1.4 1.4 0 0 1 0 2L7.3 15.3 4 16Z" />
  </Icon>
);
export const TrashIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 6h12M8 6V4.5A1 1 0 0 1 9 3.5h2a1 1 0 0 1 1 1V6M5.5 6l.7 9a1.5 1.5 0 0 0 1.5 1.4h4.6a1.5 1.5 0 0 0 1.5-1.4l.7-9" />
  </Icon>
);
export const SendIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 16V4.5M5 9.3l5-5 5 5" />
  </Icon>
);
export const StopIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="6" y="6" width="8" height="8" rx="1.5" fill="currentColor" />
  </Icon>
);
export const CopyIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 7V5a1.5 1.5 0 0 0-1.5-1.5H5A1.5 1.5 0 0 0 3.5 5v6.5A1.5 1.5 0 0 0 5 13h2" />
  </Icon>
);
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m4.5 10.5 3.5 3.5 7.5-8" />
  </Icon>
);
export const RetryIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M15.8 8A6 6 0 1 0 16 11.2M16 4v4h-4" />
  </Icon>
);
export const LeftIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m12 5-5 5 5 5" />
  </Icon>
);
export const RightIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m8 5 5 5-5 5" />
  </Icon>
);
export const ChevronDownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 8 5 5 5-5" />
  </Icon>
);
export const ClipIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m15.5 9.5-5.6 5.6a3.2 3.2 0 0 1-4.5-4.5l6-6a2.1 2.1 0 0 1 3 3l-6 6a1.05 1.05 0 0 1-1.5-1.5l5.1-5.1" />
  </Icon>
);
export const FileIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M11.5 3h-5A1.5 1.5 0 0 0 5 4.5v11A1.5 1.5 0 0 0 6.5 17h7a1.5 1.5 0 0 0 1.5-1.5v-9L11.5 3ZM11.5 3v3.5H15" />
  </Icon>
);
export const ForwardIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 5.5v9l6-4.5-6-4.5ZM11 5.5v9l6-4.5-6-4.5Z" />
  </Icon>
);
export const DownIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 4v11.5M5 10.7l5 5 5-5" />
  </Icon>
);
export const PanelIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="3" y="4" width="14" height="12" rx="2" />
    <path d="M8 4v12" />
  </Icon>
);
export const InfoIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="10" cy="10" r="6.75" />
    <path d="M10 9.25V13.5M10 6.6v.05" />
  </Icon>
);
export const WarningIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M10 7.5v3.5M10 13.6v.05M8.8 3.9 2.7 14.3A1.4 1.4 0 0 0 3.9 16.4h12.2a1.4 1.4 0 0 0 1.2-2.1L11.2 3.9a1.4 1.4 0 0 0-2.4 0Z" />
  </Icon>
);

export const FolderIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 6.5A1.5 1.5 0 0 1 4.5 5h3l2 2h6A1.5 1.5 0 0 1 17 8.5v5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 13.5Z" />
  </Icon>
);
export const PinIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M7.5 3.5h5l-.75 5 2.75 2.5v1.5h-9V11l2.75-2.5ZM10 12.5v4.5" />
  </Icon>
);
export const MoreIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.5" />
  </Icon>
);
export const ChevronIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m8 5 5 5-5 5" />
  </Icon>
);

/** The app's mark: a full bar and the part of it that attention keeps. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect x="2" y="2" width="20" height="20" rx="6" className="mark-plate" />
      <g className="mark-bars">
        <rect x="6" y="6.5" width="12" height="2.2" rx="1.1" opacity="0.35" />
        <rect x="6" y="10.9" width="8" height="2.2" rx="1.1" />
        <rect x="6" y="15.3" width="12" height="2.2" rx="1.1" opacity="0.35" />
        <rect x="12.5" y="15.3" width="5.5" height="2.2" rx="1.1" />
      </g>
    </svg>
  );
}
