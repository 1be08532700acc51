/** The screens that the rail leads to, in its order. Settings are at its foot. */
import type { ReactNode } from 'react';
import type { View } from '../../store/state.ts';
import { strings } from '../../strings.ts';
import {
  ChatIcon,
  ChipIcon,
  CompareIcon,
  FileIcon,
  GaugeIcon,
  LanesIcon,
  ModelsIcon,
  SettingsIcon,
} from '../../ui/icons.tsx';

export interface ViewEntry {
  readonly view: View;
  readonly label: () => string;
  readonly icon: ReactNode;
}

export const views: readonly ViewEntry[] = [
  { view: 'chat', label: () => strings.rail.chat, icon: <ChatIcon /> },
  { view: 'documents', label: () => strings.rail.documents, icon: <FileIcon /> },
  { view: 'models', label: () => strings.rail.models, icon: <ModelsIcon /> },
  { view: 'devices', label: () => strings.rail.devices, icon: <ChipIcon /> },
  { view: 'resources', label: () => strings.rail.resources, icon: <GaugeIcon /> },
  { view: 'pipeline', label: () => strings.rail.pipeline, icon: <LanesIcon /> },
  { view: 'compare', label: () => strings.rail.compare, icon: <CompareIcon /> },
  { view: 'settings', label: () => strings.rail.settings, icon: <SettingsIcon /> },
];
