"""Unity ``AnimationClip`` files: which sprite when, whether it loops, and what is called on the way.

The clip swaps ``SpriteRenderer.sprite`` of the object with the Animator. Events call a method of that name on a
script beside it: ``void footstep() {}``.
"""

import itertools
import re
from collections.abc import Sequence
from fractions import Fraction

from studio.sprites.export.numbers import number
from studio.sprites.export.ticks import ticks
from studio.sprites.export.unity_ids import guid, local_id, quoted
from studio.sprites.sheet import Entry


def animation(name: str, loop: bool, entries: Sequence[Entry], sprites: Sequence[tuple[str, str]]) -> str:
    """The ``.anim`` of one action; `sprites` are (page file, sprite name) of each frame."""
    rate, counts = ticks([entry.duration_ms for entry in entries])
    starts = [end / rate for end in itertools.accumulate(counts, initial=Fraction(0))]
    times = [f"{number(float(start))}" for start in starts]
    references = [f"{{fileID: {local_id(key)}, guid: {guid(image)}, type: 3}}" for image, key in sprites]
    keys = [(time, reference) for time, reference in zip(times[:-1], references, strict=True)]
    tick = 1 / rate
    if starts[-1] - tick > starts[-2]:
        # a clip ends one sample after its last key: a held last frame is keyed again
        keys.append((f"{number(float(starts[-1] - tick))}", references[-1]))
    curve = "\n".join(f"    - time: {time}\n      value: {reference}" for time, reference in keys)
    mapping = "\n".join(f"    - {reference}" for _, reference in keys)
    events = [_event(event, time) for entry, time in zip(entries, times, strict=False) for event in entry.events]
    return f"""%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!74 &7400000
AnimationClip:
  m_ObjectHideFlags: 0
  m_CorrespondingSourceObject: {{fileID: 0}}
  m_PrefabInstance: {{fileID: 0}}
  m_PrefabAsset: {{fileID: 0}}
  m_Name: {quoted(name)}
  serializedVersion: 6
  m_Legacy: 0
  m_Compressed: 0
  m_UseHighQualityCurve: 1
  m_RotationCurves: []
  m_CompressedRotationCurves: []
  m_EulerCurves: []
  m_PositionCurves: []
  m_ScaleCurves: []
  m_FloatCurves: []
  m_PPtrCurves:
  - curve:
{curve}
    attribute: m_Sprite
    path:
    classID: 212
    script: {{fileID: 0}}
  m_SampleRate: {number(float(rate))}
  m_WrapMode: 0
  m_Bounds:
    m_Center: {{x: 0, y: 0, z: 0}}
    m_Extent: {{x: 0, y: 0, z: 0}}
  m_ClipBindingConstant:
    genericBindings:
    - serializedVersion: 2
      path: 0
      attribute: 0
      script: {{fileID: 0}}
      typeID: 212
      customType: 23
      isPPtrCurve: 1
    pptrCurveMapping:
{mapping}
  m_AnimationClipSettings:
    serializedVersion: 2
    m_AdditiveReferencePoseClip: {{fileID: 0}}
    m_AdditiveReferencePoseTime: 0
    m_StartTime: 0
    m_StopTime: {times[-1]}
    m_OrientationOffsetY: 0
    m_Level: 0
    m_CycleOffset: 0
    m_HasAdditiveReferencePose: 0
    m_LoopTime: {int(loop)}
    m_LoopBlend: 0
    m_LoopBlendOrientation: 0
    m_LoopBlendPositionY: 0
    m_LoopBlendPositionXZ: 0
    m_KeepOriginalOrientation: 0
    m_KeepOriginalPositionY: 1
    m_KeepOriginalPositionXZ: 0
    m_HeightFromFeet: 0
    m_Mirror: 0
  m_EditorCurves: []
  m_EulerEditorCurves: []
  m_HasGenericRootTransform: 0
  m_HasMotionFloatCurves: 0
  m_Events:{"".join(events) or " []"}
"""


def clip_meta(file: str) -> str:
    """The ``.meta`` beside an ``.anim``, so that animators keep their reference to it."""
    return f"""fileFormatVersion: 2
guid: {guid(file)}
NativeFormatImporter:
  externalObjects: {{}}
  mainObjectFileID: 7400000
  userData:
  assetBundleName:
  assetBundleVariant:
"""


def _event(name: str, time: str) -> str:
    method = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"""
  - time: {time}
    functionName: {quoted(method if not method[:1].isdigit() else "_" + method)}
    data: {quoted(name)}
    objectReferenceParameter: {{fileID: 0}}
    floatParameter: 0
    intParameter: 0
    messageOptions: 1"""
